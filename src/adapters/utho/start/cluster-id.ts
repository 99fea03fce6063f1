import { CloudError } from '../../../application/ports/cloud-provider.js';
import { ClusterReadError } from '../../../application/ports/cluster-reader.js';
import type { ClusterReader } from '../../../application/ports/cluster-reader.js';
import type { Node } from '../../../domain/kubernetes/node.js';
import type { Telemetry } from '../client/telemetry.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import { CLUSTER_ID_LABEL } from '../labels.js';
import { refusal } from '../refusal.js';

interface Labelled {
  readonly clusterId: string;
  readonly nodeName: string;
}

/** Nodes could be read, or why not. */
type Found = { readonly labelled: readonly Labelled[] } | { readonly cause: string };

/**
 * The configured cluster, or the one that the nodes' label names (`utho` 1.3). Throws CloudError `configuration` where
 * there is none, or where the nodes say something else: a wrong id would resize somebody else's cluster.
 */
export function determineClusterId(
  configuration: Pick<UthoConfiguration, 'clusterId'>,
  reader: ClusterReader,
  { logger }: Telemetry,
): string {
  const found = findLabels(reader);
  if (configuration.clusterId !== null) {
    if ('labelled' in found) assertSame(configuration.clusterId, found.labelled);
    return configuration.clusterId;
  }
  const first = 'labelled' in found ? found.labelled[0] : undefined;
  if (first === undefined) {
    const cause = 'cause' in found ? found.cause : `label "${CLUSTER_ID_LABEL}" not found on any node`;
    logger.warn('utho-cluster-id', `failed to get cluster ID from nodes: ${cause}`);
    throw unusable("cluster ID is not provided and couldn't be retrieved from nodes");
  }
  if ('labelled' in found) assertAgreed(first, found.labelled);
  if (!/^\d+$/.test(first.clusterId)) throw unusable(`cluster ID "${first.clusterId}" is not a number`);
  const { clusterId, nodeName } = first;
  logger.info('utho-cluster-id', `cluster ID ${clusterId} was found on node ${nodeName}`, {
    clusterId,
    nodeName,
  });
  return clusterId;
}

function findLabels(reader: ClusterReader): Found {
  let nodes: readonly Node[];
  try {
    ({ nodes } = reader.state());
  } catch (error) {
    if (!(error instanceof ClusterReadError)) throw error;
    return { cause: `failed to list nodes: ${error.message}` };
  }
  if (nodes.length === 0) return { cause: 'no nodes found in cluster' };
  const labelled = nodes.map((node) => ({
    clusterId: node.labels.get(CLUSTER_ID_LABEL)?.trim() ?? '',
    nodeName: node.name,
  }));
  return { labelled: labelled.filter(({ clusterId }) => clusterId !== '') };
}

function assertAgreed(first: Labelled, labelled: readonly Labelled[]): void {
  const other = labelled.find(({ clusterId }) => clusterId !== first.clusterId);
  if (other === undefined) return;
  const two = `${first.clusterId} on ${first.nodeName} and ${other.clusterId} on ${other.nodeName}`;
  throw unusable(`the nodes carry two cluster IDs, ${two}; set cluster_id`);
}

function assertSame(configured: string, labelled: readonly Labelled[]): void {
  const other = labelled.find(({ clusterId }) => clusterId !== configured);
  if (other === undefined) return;
  const found = `node ${other.nodeName} carries the label ${CLUSTER_ID_LABEL}=${other.clusterId}`;
  throw unusable(`cluster_id is ${configured}, but ${found}; correct cluster_id, or leave it out`);
}

function unusable(problem: string): CloudError {
  return new CloudError(refusal('cluster-id', `Failed to create Utho manager: ${problem}`));
}
