import type { Plan } from './records.js';

/** Plans of the catalogue (ids and shapes of `utho` 2; names and most prices invented). */
export function defaultPlans(): Map<string, Plan> {
  const plans: readonly Plan[] = [
    plan('10045', 'basic-2-4', 'basic', [2, 4_096, 80], 900),
    plan('10308', 'basic-2-4-b', 'basic', [2, 4_096, 80], 1_400),
    plan('10355', 'basic-4-8', 'basic', [4, 8_192, 160], 2_800),
    plan('10316', 'basic-103', 'basic', [6, 16_384, 320], 5_514),
    plan('10325', 'dedicated-memory-2-16', 'dedicated-memory', [2, 16_384, 160], 4_100),
    plan('10364', 'dedicated-cpu-4-16', 'dedicated-cpu', [4, 16_384, 240], 4_900),
    plan('10400', 'dedicated-cpu-8-32', 'dedicated-cpu', [8, 32_768, 320], 9_800),
    plan('10500', 'gpu-8-64', 'gpu', [8, 65_536, 320], 42_000),
  ];
  return new Map(plans.map((one) => [one.id, one]));
}

function plan(
  id: string,
  name: string,
  slug: string,
  [cpu, ramMb, diskGb]: readonly [number, number, number],
  price: number,
): Plan {
  return { id, name, slug, cpu, ramMb, diskGb, price, available: true };
}
