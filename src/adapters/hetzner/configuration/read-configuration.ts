import type { ConfigurationSource } from '../../../application/ports/configuration.js';
import { Findings, Secret, isLabelValue } from '../../cloud-configuration/index.js';
import { readClusterConfig } from './cluster-config.js';
import { Environment } from './environment.js';
import type { HetznerConfiguration, PoolConfiguration } from './hetzner-configuration.js';
import { readNodeSpecs } from './node-spec.js';
import { buildPool } from './pools.js';

/** Cloud-init holds join tokens. */
const SECRET_PROPERTIES = new Set(['cloudInit']);

/**
 * Reads environment variables, cluster configuration and `--nodes` specs, and checks all that needs no network
 * (`hetzner` 1). Throws one {@link ConfigurationError} with every fault; the token is never part of it.
 */
export function readHetznerConfiguration(
  source: ConfigurationSource,
  nodeSpecs: readonly string[],
): HetznerConfiguration {
  const findings = new Findings(SECRET_PROPERTIES);
  const environment = new Environment(source, findings);
  const settings = readSettings(environment, findings);
  const specs = readNodeSpecs(nodeSpecs, environment.boolean('HCLOUD_ALLOW_UPPERCASE_POOL', false), findings);
  const cluster = readClusterConfig(source, environment, findings);
  const surroundings = {
    networkConfigured: settings.network !== null,
    fallbackImage: environment.reference('HCLOUD_IMAGE'),
  };
  const pools = cluster === null ? [] : specs.map((spec) => buildPool(spec, cluster, surroundings, findings));
  findings.throwIfFaulty();
  return {
    ...settings,
    pools: pools.filter((pool): pool is PoolConfiguration => pool !== null),
    warnings: findings.warnings,
  };
}

type Settings = Omit<HetznerConfiguration, 'pools' | 'warnings'>;

function readSettings(environment: Environment, findings: Findings): Settings {
  const settings = {
    token: new Secret(environment.token()),
    endpoint: environment.endpoint(),
    network: environment.reference('HCLOUD_NETWORK'),
    firewall: environment.reference('HCLOUD_FIREWALL'),
    sshKey: environment.reference('HCLOUD_SSH_KEY'),
    publicIpv4: environment.boolean('HCLOUD_PUBLIC_IPV4', true),
    publicIpv6: environment.boolean('HCLOUD_PUBLIC_IPV6', true),
    creationTimeoutMs: environment.creationTimeoutMs(),
    clusterName: environment.reference('HCLOUD_CLUSTER_NAME'),
    apiTimeoutMs:
      environment.integer('HCLOUD_API_TIMEOUT_SECONDS', { fallback: 30, min: 1, max: 300 }) * 1_000,
    serversTtlMs:
      environment.integer('HCLOUD_SERVERS_CACHE_TTL_SECONDS', { fallback: 60, min: 5, max: 3_600 }) * 1_000,
    // 5000: an action must not go unnoticed for longer (B10).
    pollIntervalMs: environment.integer('HCLOUD_POLL_INTERVAL_MS', { fallback: 1_000, min: 100, max: 5_000 }),
    maxParallelCreates: environment.integer('HCLOUD_MAX_PARALLEL_CREATES', {
      fallback: 10,
      min: 1,
      max: 100,
    }),
    rateLimitReserve: environment.integer('HCLOUD_RATE_LIMIT_RESERVE', {
      fallback: 300,
      min: 0,
      max: 1_000_000,
    }),
    asyncScaleUp: environment.boolean('HCLOUD_ASYNC_SCALE_UP', true),
    zoneLabelEnabled: environment.boolean('HCLOUD_ZONE_LABEL_ENABLED', true),
    memoryOverhead: environment.memoryOverhead(),
    maxDeletesPerMinute: environment.integer('HCLOUD_MAX_DELETES_PER_MINUTE', {
      fallback: 20,
      min: 1,
      max: 10_000,
    }),
  };
  checkSettings(settings, findings);
  return settings;
}

function checkSettings(settings: Settings, findings: Findings): void {
  if (!settings.publicIpv4 && !settings.publicIpv6 && settings.network === null) {
    const problem =
      'with both public IP families off a server needs a network, and HCLOUD_NETWORK is not set';
    findings.fault('HCLOUD_PUBLIC_IPV4', 'false', problem, 'set HCLOUD_NETWORK or switch one family on');
  }
  if (settings.clusterName !== null && !isLabelValue(settings.clusterName)) {
    const remedy = 'use up to 63 letters, digits, dashes, dots and underscores';
    findings.fault('HCLOUD_CLUSTER_NAME', settings.clusterName, 'not a valid label value', remedy);
  }
}
