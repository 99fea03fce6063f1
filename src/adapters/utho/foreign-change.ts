import type { Telemetry } from './client/telemetry.js';

/** A count that changed without our doing: console, Terraform, the platform's own policies (`utho` 4.11). */
export interface CountChange {
  readonly poolId: string;
  readonly from: number;
  readonly to: number;
}

export function tellForeignChange({ logger }: Telemetry, { poolId, from, to }: CountChange): void {
  if (from === to) return;
  const message = `the count of node pool ${poolId} went from ${from} to ${to} without our doing`;
  logger.info('utho-foreign-change', message, { pool: poolId, from, to });
}
