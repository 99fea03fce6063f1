/** What a core and a GiB of memory cost for an hour. */
export interface PodPrice {
  readonly perCore: number;
  readonly perGib: number;
}

/** A machine type by what it has and costs for an hour. */
export interface PricedMachine {
  readonly cores: number;
  readonly gib: number;
  readonly price: number;
}

/**
 * Splits the prices of machines into those of cores and memory (`hetzner` 6.4): least squares over the machines, neither
 * part below zero. All zero without machines. Only serves to compare what options cost with what their pods are worth.
 */
export function fitPodPrice(machines: readonly PricedMachine[]): PodPrice {
  const sum = (of: (machine: PricedMachine) => number): number =>
    machines.reduce((total, machine) => total + of(machine), 0);
  const cc = sum(({ cores }) => cores * cores);
  const gg = sum(({ gib }) => gib * gib);
  const cg = sum(({ cores, gib }) => cores * gib);
  const cp = sum(({ cores, price }) => cores * price);
  const gp = sum(({ gib, price }) => gib * price);
  const coresOnly = { perCore: divided(cp, cc), perGib: 0 };
  const gibOnly = { perCore: 0, perGib: divided(gp, gg) };
  const determinant = cc * gg - cg * cg;
  // Machines of one shape do not tell the two apart: half of the price for each.
  if (determinant <= cc * gg * 1e-9) return { perCore: coresOnly.perCore / 2, perGib: gibOnly.perGib / 2 };
  const perCore = (cp * gg - gp * cg) / determinant;
  const perGib = (gp * cc - cp * cg) / determinant;
  if (perCore < 0) return gibOnly;
  return perGib < 0 ? coresOnly : { perCore, perGib };
}

function divided(sum: number, by: number): number {
  return by === 0 ? 0 : sum / by;
}
