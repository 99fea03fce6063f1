import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { PoolConfiguration } from '../configuration/hetzner-configuration.js';
import type { ServerType } from '../client/records.js';

/**
 * The server type of a pool, if it can be ordered in the pool's location. Reads `locations[]`, not prices: those also
 * list places where nothing is sold (B16). Throws {@link CloudError} kind `configuration` otherwise.
 */
export function offerOf(
  pool: PoolConfiguration,
  type: ServerType | undefined,
  nowMs: number,
): ServerType & { readonly architecture: NonNullable<ServerType['architecture']> } {
  const subject = `pool ${pool.id}`;
  if (type === undefined) {
    throw refused('unknown-server-type', `${subject}: unknown server type ${pool.serverType}`);
  }
  const place = type.locations.find((location) => location.name === pool.location);
  if (place === undefined) {
    const offered = type.locations.map((location) => location.name).join(', ');
    const message = `${subject}: server type ${type.name} is not offered in ${pool.location}, but in ${offered}`;
    throw refused('type-not-offered', message);
  }
  if (place.unavailableAfterMs !== null && place.unavailableAfterMs <= nowMs) {
    const end = new Date(place.unavailableAfterMs).toISOString().slice(0, 10);
    const message = `${subject}: server type ${type.name} is not sold in ${pool.location} since ${end}`;
    throw refused('type-withdrawn', message);
  }
  if (type.architecture === null) {
    throw refused('unknown-architecture', `${subject}: the architecture of ${type.name} is not supported`);
  }
  return { ...type, architecture: type.architecture };
}

/** A sentence about the end of a sale that is announced, or null. */
export function endOfSaleWarning(pool: PoolConfiguration, type: ServerType, nowMs: number): string | null {
  const end = type.locations.find((location) => location.name === pool.location)?.unavailableAfterMs ?? null;
  if (end === null) return null;
  const days = Math.max(0, Math.ceil((end - nowMs) / (24 * 3_600_000)));
  return `pool ${pool.id}: ${type.name} ends in ${pool.location} in ${days} days`;
}

function refused(code: string, message: string): CloudError {
  return new CloudError({
    kind: 'configuration',
    code,
    message: `${message}; choose another type or location`,
  });
}
