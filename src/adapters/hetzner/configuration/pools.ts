import { HOSTNAME_LABEL } from '../../../domain/kubernetes/labels.js';
import { POOL_LABEL } from '../labels.js';
import { Secret, readNodeGroupOptions, readTaints } from '../../cloud-configuration/index.js';
import type { Findings } from '../../cloud-configuration/index.js';
import { looksEncodedTwice } from './base64.js';
import { parseCidr } from './cidr.js';
import type { ClusterConfig } from './cluster-config.js';
import type { ImagesForArchDocument, NodeConfigDocument } from './documents.js';
import type { Architecture, PoolConfiguration } from './hetzner-configuration.js';
import type { NodeSpec } from './node-spec.js';

/** Limit of the API, counted after decoding (`hetzner` 2.7). */
const USER_DATA_BYTES_MAX = 32_768;

export interface PoolSurroundings {
  readonly networkConfigured: boolean;
  /** `HCLOUD_IMAGE`, the last fall-back of the new format (B04). */
  readonly fallbackImage: string | null;
}

/** Joins a `--nodes` spec with its part of the cluster configuration. Null: unusable, reported. */
export function buildPool(
  spec: NodeSpec,
  config: ClusterConfig,
  surroundings: PoolSurroundings,
  findings: Findings,
): PoolConfiguration | null {
  const frame = {
    id: spec.name,
    minSize: spec.minSize,
    maxSize: spec.maxSize,
    serverType: spec.serverType,
    location: spec.location,
  };
  if (config.format === 'legacy') {
    const { cloudInit, image } = config.legacy;
    checkUserData(cloudInit, 'HCLOUD_CLOUD_INIT', spec.name, findings);
    return {
      ...frame,
      ...BARE_POOL,
      userData: new Secret(cloudInit),
      images: { amd64: image, arm64: image },
    };
  }
  const place = `${config.place}.nodeConfigs.${spec.name}`;
  const document = config.pools.get(spec.name);
  if (document === undefined) {
    const problem = `no node config present for node group id \`${spec.name}\``;
    findings.fault(place, null, problem, 'add the entry, or drop the pool from --nodes');
  }
  if (document === undefined || document === null) return null;
  checkUserData(document.cloudInit ?? '', `${place}.cloudInit`, spec.name, findings);
  checkLabels(document, place, findings);
  const images = chooseImages(
    document.imagesForArch,
    config.cluster.imagesForArch,
    surroundings.fallbackImage,
  );
  if (images.amd64 === null && images.arm64 === null) {
    const remedy = 'set imagesForArch globally or for the pool, or HCLOUD_IMAGE';
    findings.fault(`${place}.imagesForArch`, null, 'no image is configured for this pool', remedy);
  }
  const ownRange = document.subnetIPRange ?? '';
  const subnetPlace = ownRange === '' ? `${config.place}.defaultSubnetIPRange` : `${place}.subnetIPRange`;
  const range = ownRange === '' ? (config.cluster.defaultSubnetIPRange ?? '') : ownRange;
  return {
    ...frame,
    userData: new Secret(document.cloudInit ?? ''),
    images,
    labels: new Map(Object.entries(document.labels ?? {})),
    taints: readTaints(document.taints),
    serverLabels: new Map(Object.entries(document.serverLabels ?? {})),
    placementGroup: emptyToNull(document.placementGroup),
    subnetIpRange: readSubnet(range, subnetPlace, surroundings.networkConfigured, findings),
    firewalls: document.firewalls ?? [],
    options: readNodeGroupOptions(document.autoscalingOptions),
  };
}

const BARE_POOL = {
  labels: new Map<string, string>(),
  taints: [],
  serverLabels: new Map<string, string>(),
  placementGroup: null,
  subnetIpRange: null,
  firewalls: [],
  options: {},
};

/** Per architecture: pool, else global, else `HCLOUD_IMAGE` (`hetzner` 3.9). */
function chooseImages(
  own: ImagesForArchDocument | null | undefined,
  global: ImagesForArchDocument | null | undefined,
  fallback: string | null,
): Record<Architecture, string | null> {
  const choose = (architecture: Architecture): string | null =>
    emptyToNull(own?.[architecture]) ?? emptyToNull(global?.[architecture]) ?? fallback;
  return { amd64: choose('amd64'), arm64: choose('arm64') };
}

function checkUserData(cloudInit: string, place: string, pool: string, findings: Findings): void {
  const bytes = Buffer.byteLength(cloudInit);
  if (bytes > USER_DATA_BYTES_MAX) {
    const problem = `pool ${pool}: user_data has ${bytes} bytes, more than the ${USER_DATA_BYTES_MAX} of the API`;
    findings.fault(place, '(secret)', problem, 'shorten the script, or let it fetch the rest');
  }
  if (looksEncodedTwice(cloudInit)) {
    findings.warn(`${place} looks base64-encoded twice: the text itself belongs there`);
  }
}

function checkLabels(document: NodeConfigDocument, place: string, findings: Findings): void {
  for (const key of [HOSTNAME_LABEL, POOL_LABEL]) {
    if (document.labels?.[key] === undefined) continue;
    const problem = 'this label is given by the autoscaler and must not be overridden';
    findings.fault(`${place}.labels`, key, problem, 'remove the label');
  }
  if (document.serverLabels?.[POOL_LABEL] !== undefined) {
    findings.warn(`${place}.serverLabels.${POOL_LABEL} is ignored: the label always holds the pool name`);
  }
}

function readSubnet(
  text: string,
  place: string,
  networkConfigured: boolean,
  findings: Findings,
): string | null {
  if (text === '') return null;
  if (!networkConfigured) {
    const problem = 'a subnet range needs a network, and HCLOUD_NETWORK is not set';
    findings.fault(place, text, problem, 'set HCLOUD_NETWORK or remove the range');
  }
  const cidr = parseCidr(text);
  if (cidr === null) {
    findings.fault(place, text, 'failed to parse the subnet IP range', 'write it as CIDR, e.g. 10.20.1.0/24');
    return null;
  }
  if (cidr.hadHostBits) findings.warn(`${place}: ${text} has host bits, ${cidr.text} is used`);
  return cidr.text;
}

function emptyToNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}
