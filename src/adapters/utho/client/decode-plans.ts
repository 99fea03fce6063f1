import type { Answer } from './answers.js';
import { readDecimal, readInteger, readList, readObject, readText } from './lenient.js';
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
        price: readDecimal(plan['price']) ?? readDecimal(plan['monthly']),
      },
    ];
  });
}
