import type { MachineReference } from '../../../application/ports/cloud-provider.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import { NODE_ID_LABEL } from '../labels.js';
import { refusal } from '../refusal.js';
import type { KubernetesNodes } from '../state/kubernetes-nodes.js';
import type { PoolSnapshot } from '../state/pool-snapshot.js';
import { TEMPLATE_PREFIX, isOrderId, isTemplate, workerIdOf } from '../state/provider-id.js';

/** What a reference says it means, before anybody was asked. */
export type Identified =
  | { readonly kind: 'worker'; readonly workerId: string }
  | { readonly kind: 'slot'; readonly slotId: string }
  | { readonly kind: 'refused'; readonly failure: CloudFailure };

/**
 * By provider id, else by the node's label, else by host name within the pool (`utho` 4.6 step 1).
 *
 * differs from upstream: there the label alone counts, so that a worker whose node never joined can't be deleted (B34).
 */
export function identifyMachine(
  machine: MachineReference,
  snapshot: PoolSnapshot,
  nodes: KubernetesNodes,
): Identified {
  const { instanceId, name } = machine;
  if (isOrderId(instanceId)) return { kind: 'slot', slotId: instanceId };
  const node = nodes.named(name);
  const isMadeUp = instanceId.startsWith(TEMPLATE_PREFIX) || (node !== undefined && isTemplate(node));
  const fromId = isMadeUp ? null : workerIdOf(instanceId);
  const fromLabel = (isMadeUp ? undefined : node?.labels.get(NODE_ID_LABEL)) ?? '';
  if (fromId !== null && fromLabel !== '' && fromId !== fromLabel) {
    const problem = `its provider ID says ${fromId} and its label ${NODE_ID_LABEL} says ${fromLabel}`;
    return refuse(machine, snapshot.id, 'id-mismatch', problem);
  }
  const workerId = fromId ?? (fromLabel === '' ? namesakeOf(machine, snapshot, isMadeUp) : fromLabel);
  if (workerId === undefined) return refuse(machine, snapshot.id, 'no-id', 'node ID label is missing');
  return { kind: 'worker', workerId };
}

function namesakeOf(
  { name }: MachineReference,
  snapshot: PoolSnapshot,
  isMadeUp: boolean,
): string | undefined {
  if (name === '' || isMadeUp) return undefined;
  const wanted = name.toLowerCase();
  return snapshot.workers.find(({ record }) => record.hostname.toLowerCase() === wanted)?.record.id;
}

function refuse(machine: MachineReference, poolId: string, code: string, problem: string): Identified {
  const subject = `node "${machine.name}" with provider ID "${machine.instanceId}" on node pool "${poolId}"`;
  return { kind: 'refused', failure: refusal(code, `cannot delete ${subject}: ${problem}`) };
}
