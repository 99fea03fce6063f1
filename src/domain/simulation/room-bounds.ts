/** Rows in a block: small enough to scan in 100 ns, large enough that 5,000 nodes are 80 blocks. */
export const BLOCK_ROWS = 64;
const BLOCK_SHIFT = 6;

export function blockOf(row: number): number {
  return row >> BLOCK_SHIFT;
}

/**
 * For each resource and block of rows an upper bound of what is free on one node: exact when a block was scanned,
 * raised at once when room appears, lowered lazily. A search skips blocks that can't hold the pod.
 */
export class RoomBounds {
  private readonly bounds: number[][] = [];

  /** At least one row of the block may have this much. */
  mayHold(resource: number, block: number, amount: number): boolean {
    return (this.bounds[resource]?.[block] ?? -Infinity) >= amount;
  }

  raise(resource: number, row: number, free: number): void {
    const bounds = (this.bounds[resource] ??= []);
    const block = blockOf(row);
    while (bounds.length <= block) bounds.push(-Infinity);
    if (bounds[block]! < free) bounds[block] = free;
  }

  /** States the largest free amount of a block, as just found by looking at all of its rows. */
  learn(resource: number, block: number, largest: number): void {
    const bounds = this.bounds[resource];
    if (bounds !== undefined) bounds[block] = largest;
  }
}
