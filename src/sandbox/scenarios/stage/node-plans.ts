import type { NodeProfile } from '../../kubernetes/index.js';
import type { Machine } from '../../world/index.js';
import type { GroupDocument, NodeDocument } from '../format/world-shape.js';
import type { JoinTimes } from './cloud-script.js';
import type { GroupMachines } from './machines.js';
import { toRecord } from './pod-manifest.js';

/** Silence of a kubelet until its node is unknown, in the world of stories: as upstream. */
export const SILENCE_GRACE_MS = 50_000;
export const NODE_AGE_MS = 3_600_000;
const NOT_READY_SINCE_MS = 5 * 60_000;
/** A kubelet that fails must have been there before. */
const ALIVE_MS_MIN = 10_000;
const POOL_LABEL = 'hcloud/node-group';

/** Age of a node that is there from the beginning: its own, but old enough to have been ready. */
export function ageOf(node: NodeDocument): number {
  const age = node.age ?? NODE_AGE_MS;
  return node.ready === false ? Math.max(age, notReadySince(node) + SILENCE_GRACE_MS + ALIVE_MS_MIN) : age;
}

function notReadySince({ since = NOT_READY_SINCE_MS }: NodeDocument): number {
  return since;
}

/** How the nodes of the world behave: those of the story by name, all others by their group. */
export class NodePlans {
  private readonly byName = new Map<string, NodeDocument>();

  constructor(
    private readonly groups: ReadonlyMap<string, GroupDocument>,
    private readonly machinesOf: (group: string) => GroupMachines | undefined,
    private readonly joinTimes: () => JoinTimes,
  ) {}

  expect(node: NodeDocument): void {
    this.byName.set(node.id, node);
  }

  profileOf(machine: Machine): NodeProfile {
    const node = this.byName.get(machine.name);
    const groupId = node?.group ?? machine.labels[POOL_LABEL];
    const group = groupId === undefined ? undefined : this.groups.get(groupId);
    return node === undefined ? this.bought(group) : this.listed(node, group);
  }

  /** A machine that was bought in the story. */
  private bought(group: GroupDocument | undefined): NodeProfile {
    if (group === undefined) return {};
    const scripted = this.joinTimes().get(group.id);
    const join = scripted === null ? 'never' : (scripted ?? group.boot?.join);
    const ready = group.boot?.ready;
    return {
      ...this.ofGroup(group),
      ...(join === 'never' ? { joins: false } : join !== undefined && { joinAfterMs: join }),
      ...(ready !== undefined && { readyAfterMs: ready === 'never' ? null : ready }),
    };
  }

  private listed(node: NodeDocument, group: GroupDocument | undefined): NodeProfile {
    const basis = group === undefined ? {} : this.ofGroup(group);
    const devices = node.resources ?? group?.resources;
    const failsAfterMs = ageOf(node) - notReadySince(node) - SILENCE_GRACE_MS;
    return {
      ...basis,
      joinAfterMs: 0,
      readyAfterMs: 0,
      labels: withLabels(
        { ...basis.labels, ...(node.zone !== undefined && { 'topology.kubernetes.io/zone': node.zone }) },
        node.labels,
      ),
      ...(devices !== undefined && { devices: Object.fromEntries(devices) }),
      ...(node.ready === false && { failsAfterMs }),
      ...((node.providerID !== undefined || node.group === undefined || node.machine === 'gone') && {
        cloudManaged: false,
        providerId: node.providerID ?? foreignId(node),
      }),
    };
  }

  private ofGroup(group: GroupDocument): NodeProfile {
    const { id, labels, taints = [], nodeLabels = labels, nodeTaints = taints, resources } = group;
    return {
      labels: toRecord(nodeLabels),
      taints: nodeTaints,
      reserved: { diskBytes: this.machinesOf(id)?.diskHeldBackBytes ?? 0 },
      ...(resources !== undefined && { devices: Object.fromEntries(resources) }),
    };
  }
}

/** Provider id of a node whose machine the cloud does not know. */
function foreignId({ id, machine }: NodeDocument): string {
  return machine === 'gone' ? `hcloud://${ghostNumber(id)}` : `metal://${id}`;
}

function ghostNumber(name: string): number {
  return Array.from(name).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_000;
}

function withLabels(
  labels: Readonly<Record<string, string>>,
  own: ReadonlyMap<string, string> = new Map(),
): Readonly<Record<string, string>> {
  const merged = { ...labels, ...toRecord(own) };
  return Object.fromEntries(
    Object.entries(merged).filter(([key, value]) => value !== '' || own.get(key) !== ''),
  );
}
