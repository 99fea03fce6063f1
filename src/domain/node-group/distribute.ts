/** A group as the balancing sees it. */
export interface BalancedGroup {
  readonly groupId: string;
  readonly size: number;
  readonly maxSize: number;
}

export interface SizeChange {
  readonly groupId: string;
  readonly currentSize: number;
  readonly newSize: number;
  readonly maxSize: number;
}

/**
 * Spreads `count` new nodes so that sizes become as even as possible (`scale-up` 8.2). Only groups that change are
 * returned, smallest first. A group at or above its maximum does not take part.
 *
 * Fills level by level instead of node by node, so the cost does not grow with `count`.
 */
export function distribute(groups: readonly BalancedGroup[], count: number): readonly SizeChange[] {
  const open = groups.filter((group) => group.size < group.maxSize);
  const ordered = open.map((group) => ({ ...group, newSize: group.size }));
  ordered.sort((left, right) => left.size - right.size);
  const capacity = open.reduce((sum, group) => sum + group.maxSize - group.size, 0);
  let left = Math.min(count, capacity);
  while (left > 0) left = raiseLowest(ordered, left);
  return ordered
    .filter((group) => group.newSize > group.size)
    .map(({ groupId, size, newSize, maxSize }) => ({ groupId, currentSize: size, newSize, maxSize }));
}

type Filling = BalancedGroup & { newSize: number };

/** Lifts all groups of the lowest level to the next one, or as far as the nodes reach; returns what is left. */
function raiseLowest(ordered: readonly Filling[], nodes: number): number {
  const growing = ordered.filter((group) => group.newSize < group.maxSize);
  const level = Math.min(...growing.map((group) => group.newSize));
  const lowest = growing.filter((group) => group.newSize === level);
  const others = growing.filter((group) => group.newSize > level).map((group) => group.newSize);
  const ceiling = Math.min(...others, ...lowest.map((group) => group.maxSize));
  const rise = Math.min(ceiling - level, Math.floor(nodes / lowest.length));
  if (rise === 0) {
    for (const group of lowest.slice(0, nodes)) group.newSize += 1;
    return 0;
  }
  for (const group of lowest) group.newSize += rise;
  return nodes - rise * lowest.length;
}
