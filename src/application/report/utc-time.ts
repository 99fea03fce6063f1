/** Times of reports. Everything is UTC; input is milliseconds since the epoch. */

const DAY_MS = 86_400_000;

/** RFC 3339 with seconds: `2026-08-21T09:15:42Z`. */
export function renderRfc3339(ms: number): string {
  return `${renderDay(ms)}T${renderTimeOfDay(ms)}Z`;
}

/** RFC 3339 with a fraction, trailing zeros dropped: `2026-08-21T09:15:42.12Z`. */
export function renderRfc3339Fraction(ms: number): string {
  return `${renderDay(ms)}T${renderTimeOfDay(ms)}${renderFraction(ms)}Z`;
}

/** As Go prints a time: `2026-08-21 09:15:42.12 +0000 UTC`. */
export function renderGoTime(ms: number): string {
  return `${renderDay(ms)} ${renderTimeOfDay(ms)}${renderFraction(ms)} +0000 UTC`;
}

/** Gregorian date from days since the epoch, by counting from 1 March of year 0, where leap days come last. */
function renderDay(ms: number): string {
  const daysSinceMarch0 = Math.floor(ms / DAY_MS) + 719_468;
  const era = Math.floor(daysSinceMarch0 / 146_097);
  const dayOfEra = daysSinceMarch0 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function renderTimeOfDay(ms: number): string {
  const seconds = Math.floor((ms - Math.floor(ms / DAY_MS) * DAY_MS) / 1_000);
  return `${pad(Math.floor(seconds / 3_600), 2)}:${pad(Math.floor(seconds / 60) % 60, 2)}:${pad(seconds % 60, 2)}`;
}

function renderFraction(ms: number): string {
  const milliseconds = Math.floor(ms) - Math.floor(ms / 1_000) * 1_000;
  return milliseconds === 0 ? '' : `.${pad(milliseconds, 3).replace(/0+$/u, '')}`;
}

function pad(value: number, digits: number): string {
  return value.toString().padStart(digits, '0');
}
