import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { HetznerConfiguration } from '../configuration/hetzner-configuration.js';
import { ApiError } from '../client/api-error.js';
import { toCloudError } from '../client/cloud-errors.js';
import { classify } from '../client/error-class.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import { API_INCIDENT } from '../client/telemetry.js';
import type { Telemetry } from '../client/telemetry.js';
import type { Images } from '../growth/images.js';
import type { Pool, PoolResources } from '../pool.js';
import type { Catalogue } from '../state/catalogue.js';
import { endOfSaleWarning, offerOf } from '../state/offer.js';
import type { ServerCache } from '../state/server-cache.js';
import { checkReferences } from './check-references.js';
import { lookUpReferences, mergedFirewallIds } from './references.js';
import type { References } from './references.js';

/** `hetzner` 3.1: overall, and for each call. */
const START_MS_MAX = 60_000;
const CALL_MS_MAX = 10_000;
/** The deadline ends the retries, not their number. */
const RETRIES_MAX = 100;

export interface StartParts {
  readonly configuration: HetznerConfiguration;
  readonly api: HetznerApi;
  readonly cache: ServerCache;
  readonly catalogue: Catalogue;
  readonly images: Images;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/**
 * The start-up chain: looks up all that the configuration names, checks it, and tells what was found. Read calls
 * only. Throws {@link CloudError} kind `configuration` with every problem at once.
 */
export async function startPools(parts: StartParts, signal: AbortSignal): Promise<readonly Pool[]> {
  const { configuration, telemetry, cache } = parts;
  for (const warning of configuration.warnings) telemetry.logger.warn('hcloud-configuration', warning);
  telemetry.logger.info('hcloud-endpoint', `using Hetzner Cloud API at ${configuration.endpoint}`);
  const references = await lookUp(parts, signal);
  const ownServerIds = new Set([...cache.all()].map((server) => server.id));
  const report = checkReferences(configuration, references, ownServerIds);
  for (const warning of report.warnings) telemetry.logger.warn('hcloud-limits', warning);
  const offerProblems = checkOffers(parts);
  if (report.problems.length > 0 || isHopeless(configuration, offerProblems)) {
    const message = [...report.problems, ...offerProblems].join('\n');
    throw new CloudError({ kind: 'configuration', code: 'start-checks', message });
  }
  const pools = configuration.pools.map((pool) => ({
    configuration: pool,
    resources: resourcesOf(parts, references, ownServerIds, pool),
  }));
  await Promise.all(pools.map((pool) => announce(pool, parts, signal)));
  return pools;
}

async function lookUp(parts: StartParts, signal: AbortSignal): Promise<References> {
  const { configuration, api, cache, catalogue, clock, telemetry } = parts;
  // One that fails for good ends the others.
  const rest = new AbortController();
  const onAbort = (): void => rest.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const options: CallOptions = {
    signal: rest.signal,
    deadlineMs: clock.now() + START_MS_MAX,
    timeoutMs: CALL_MS_MAX,
    retriesMax: RETRIES_MAX,
    onRetry: (failure) => {
      const patience = `tried again for up to ${START_MS_MAX / 1_000} s`;
      telemetry.incidents.happened(API_INCIDENT, `Hetzner Cloud API: ${failure.message}; ${patience}`);
    },
  };
  try {
    const [references] = await Promise.all([
      lookUpReferences(configuration, api, options),
      catalogue.refresh(options, false),
      cache.refresh(options),
    ]);
    return references;
  } catch (error) {
    rest.abort(error);
    const isAccess = error instanceof ApiError && classify(error) === 'access';
    throw toCloudError(
      error,
      isAccess ? 'the API refuses HCLOUD_TOKEN' : 'the API could not be asked at start',
    );
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * A withdrawn or unknown type stops its own pool only: the catalogue changes without the user's doing, and a restart
 * must not take the other pools down with it (U010).
 */
function checkOffers({ configuration, catalogue, clock, telemetry }: StartParts): readonly string[] {
  const problems: string[] = [];
  for (const pool of configuration.pools) {
    try {
      const offer = offerOf(pool, catalogue.type(pool.serverType), clock.now());
      const warning = endOfSaleWarning(pool, offer, clock.now());
      if (warning !== null) telemetry.logger.warn('hcloud-end-of-sale', warning, { pool: pool.id });
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      problems.push(error.message);
      telemetry.logger.error('hcloud-pool-disabled', error.message, { pool: pool.id, code: error.code });
    }
  }
  return problems;
}

function isHopeless(configuration: HetznerConfiguration, offerProblems: readonly string[]): boolean {
  return configuration.pools.length > 0 && offerProblems.length === configuration.pools.length;
}

function resourcesOf(
  { configuration }: StartParts,
  references: References,
  ownServerIds: ReadonlySet<number>,
  pool: HetznerConfiguration['pools'][number],
): PoolResources {
  const group = references.placementGroups.get(pool.placementGroup ?? '') ?? null;
  return {
    networkId: references.network?.id ?? null,
    sshKeyId: references.sshKey?.id ?? null,
    firewallIds: mergedFirewallIds(configuration, pool, references),
    placementGroup:
      group === null
        ? null
        : {
            id: group.id,
            foreignMembers: group.serverIds.filter((id) => !ownServerIds.has(id)).length,
          },
  };
}

/** One line per pool, and the check of its image: only a warning, since a snapshot may be made later. */
async function announce(pool: Pool, parts: StartParts, signal: AbortSignal): Promise<void> {
  const { configuration, resources } = pool;
  const { logger } = parts.telemetry;
  const type = parts.catalogue.type(configuration.serverType);
  const servers = parts.cache.inPool(configuration.id).length;
  const architecture = type?.architecture ?? null;
  logger.info(
    'hcloud-pool',
    `pool ${configuration.id}: ${configuration.serverType} in ${configuration.location}, ` +
      `${servers} servers of ${configuration.minSize} to ${configuration.maxSize}`,
    {
      architecture,
      image: architecture === null ? null : configuration.images[architecture],
      subnet: configuration.subnetIpRange,
      placementGroup: configuration.placementGroup,
      firewalls: resources.firewallIds.length,
    },
  );
  if (servers < configuration.minSize) {
    const message =
      `pool ${configuration.id} has ${servers} servers, fewer than its minimum ${configuration.minSize}; ` +
      'they are only created with --enforce-node-group-min-size';
    logger.warn('hcloud-below-minimum', message);
  }
  if (type === undefined || type.architecture === null) return;
  try {
    const options = { signal, timeoutMs: CALL_MS_MAX, retriesMax: 1 };
    await parts.images.resolve(configuration, { ...type, architecture: type.architecture }, options);
  } catch (error) {
    logger.warn('hcloud-image-check', toCloudError(error, `pool ${configuration.id}: its image`).message);
  }
}
