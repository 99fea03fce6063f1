import type { Answer } from './answers.js';
import { readDecimal, readFlag, readInteger, readList, readObject, readText } from './lenient.js';
import type { PlanRecord } from './records.js';

/** Plans of both catalogues; one without id, cores or memory says nothing and is left out. */
export function decodePlans(answer: Answer): readonly PlanRecord[] {
  return (readList(answer['plans']) ?? []).flatMap((value) => {
    const plan = readObject(value) ?? {};
    const id = readText(plan['id']);
    const cpu = readInteger(plan['cpu']) ?? 0;
    const ramMb = readInteger(plan['ram']) ?? 0;
    if (id === '' || cpu <= 0 || ramMb <= 0) return [];
    return [
      {
        id,
        cpu,
        ramMb,
        diskGb: Math.max(0, readInteger(plan['disk']) ?? 0),
        slug: readText(plan['slug']),
        price: readDecimal(plan['price']) ?? readDecimal(plan['monthly']),
        // The catalogue of one machine lists only what can be had.
        available: plan['is_available'] === undefined || readFlag(plan['is_available']),
      },
    ];
  });
}
