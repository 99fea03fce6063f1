/**
 * Amounts by resource name: cpu in millicores, everything else in whole units (bytes, pieces), rounded as
 * kube-scheduler rounds (`scheduling` 1.5). A name that is absent has the amount 0. Zero amounts may be left out.
 * Immutable and shared between records.
 */
export type Resources = ReadonlyMap<string, number>;

export const CPU = 'cpu';
export const MEMORY = 'memory';
export const EPHEMERAL_STORAGE = 'ephemeral-storage';
export const PODS = 'pods';

export const NO_RESOURCES: Resources = new Map<string, number>();

/** Sum per name. */
export function addResources(left: Resources, right: Resources): Resources {
  if (right.size === 0) return left;
  const sum = new Map(left);
  for (const [name, amount] of right) sum.set(name, (sum.get(name) ?? 0) + amount);
  return sum;
}
