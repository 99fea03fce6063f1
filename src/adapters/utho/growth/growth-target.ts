/** What a growth starts from. */
export interface GrowthBasis {
  /** Just read. */
  readonly fresh: number;
  /** What the engine decided on. */
  readonly cached: number;
  readonly delta: number;
  /** Written by us and not seen yet; 0 where there is none. */
  readonly unseen: number;
}

/**
 * The absolute count to be written (`utho` 4.4). Never below what was just read, so that a growth can't kill workers;
 * never below what we wrote before, which a lagging read may not show. Growth by somebody else counts towards ours.
 */
export function growthTarget({ fresh, cached, delta, unseen }: GrowthBasis): number {
  const wanted = fresh <= cached ? fresh + delta : Math.max(fresh, cached + delta);
  return Math.max(wanted, unseen);
}
