import type { HetznerConfiguration } from '../configuration/hetzner-configuration.js';
import { CLUSTER_LABEL, POOL_LABEL } from '../labels.js';
import type { Pool } from '../pool.js';

export interface ServerBody extends Readonly<Record<string, unknown>> {
  readonly labels: Readonly<Record<string, string>>;
}

/** Body of `POST /servers` without the name. */
export function serverBody(
  pool: Pool,
  settings: HetznerConfiguration,
  ids: { readonly serverType: number; readonly image: number },
): ServerBody {
  const { configuration, resources } = pool;
  const { networkId, sshKeyId, firewallIds, placementGroup } = resources;
  const attachesLater = needsAttach(pool);
  const userData = configuration.userData.reveal();
  return {
    server_type: ids.serverType,
    image: ids.image,
    location: configuration.location,
    // Created stopped only where a subnet has to be attached first (B27).
    start_after_create: !attachesLater,
    networks: networkId === null || attachesLater ? [] : [networkId],
    public_net: { enable_ipv4: settings.publicIpv4, enable_ipv6: settings.publicIpv6 },
    labels: serverLabels(pool, settings.clusterName),
    ...(userData === '' ? {} : { user_data: userData }),
    ...(sshKeyId === null ? {} : { ssh_keys: [sshKeyId] }),
    ...(firewallIds.length === 0 ? {} : { firewalls: firewallIds.map((firewall) => ({ firewall })) }),
    ...(placementGroup === null ? {} : { placement_group: placementGroup.id }),
  };
}

/** The API takes no subnet at creation, so a pool with one attaches afterwards. */
export function needsAttach(pool: Pool): boolean {
  return pool.resources.networkId !== null && pool.configuration.subnetIpRange !== null;
}

/** Our own keys win over those of the configuration. */
function serverLabels(pool: Pool, clusterName: string | null): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(pool.configuration.serverLabels),
    [POOL_LABEL]: pool.configuration.id,
    ...(clusterName === null ? {} : { [CLUSTER_LABEL]: clusterName }),
  };
}
