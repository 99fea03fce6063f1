import { ValidateBy } from 'class-validator';
import type { ValidationOptions } from 'class-validator';
import { parseGoDuration } from '../../domain/go-duration.js';
import { isLabelValue } from './label-syntax.js';

/** Kinds of label maps; the difference is in the keys. */
export function IsLabelMap(isKey: (key: string) => boolean, what: string): PropertyDecorator {
  const options: ValidationOptions = { message: `must be an object of valid ${what}` };
  const validate = (value: unknown): boolean =>
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([key, text]) => isKey(key) && typeof text === 'string' && isLabelValue(text),
    );
  return ValidateBy({ name: 'isLabelMap', validator: { validate } }, options);
}

/** A text that passes the check. */
export function IsText(check: (text: string) => boolean, message: string): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && check(value);
  return ValidateBy({ name: 'isText', validator: { validate } }, { message });
}

export function IsDuration(): PropertyDecorator {
  return IsText((text) => (parseGoDuration(text) ?? -1) >= 0, 'must be a duration such as 10m or 1h30m');
}

export function IsWholeNumber(min: number, max: number): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
  return ValidateBy(
    { name: 'isWholeNumber', validator: { validate } },
    { message: `must be a whole number from ${min} to ${max}` },
  );
}
