import { conditionStatus } from '../objects/condition.js';
import { NODES } from '../objects/kinds.js';
import type { Node, Taint } from '../objects/types.js';
import { deleteObject } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import type { FleetListener, Machine, MachineFleet } from '../../world/machine.js';
import { UNINITIALIZED } from '../kubelet/node-object.js';
import { Reconciler, refOf } from './reconciler.js';

const SHUTDOWN: Taint = { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' };
/** `--node-monitor-period`: how often the controller looks after nodes that are not ready. */
const MONITOR_MS = 5_000;
/** Machines remembered after they are gone, so that their nodes can follow; more than a sandbox ever loses at once. */
const GONE_MAX = 10_000;

/** The cloud-controller-manager: gives new nodes their identity and removes the nodes of machines that are gone. */
export class CloudController implements FleetListener {
  private readonly reconciler: Reconciler;
  private readonly gone = new Set<string>();
  private readonly off = new Set<string>();
  /** Nodes of machines that are gone stay, as ghosts. */
  keepsGhosts = false;
  private fleet: MachineFleet | null = null;

  /** @param initializeMs time that a new node waits for its initialization. */
  constructor(
    private readonly registry: Registry,
    private readonly initializeMs: number,
  ) {
    this.reconciler = new Reconciler(registry, ({ name }) => this.reconcile(name)).watch(
      NODES,
      ({ type, current: { object: node } }) => {
        if (type === 'ADDED') this.reconciler.addAfter(refOf(node), this.initializeMs);
        return hasTaint(node, UNINITIALIZED) ? [] : [refOf(node)];
      },
    );
  }

  start(fleet: MachineFleet): void {
    this.fleet = fleet;
    this.reconciler.start();
  }

  stop(): void {
    this.reconciler.stop();
  }

  poweredOn({ providerId }: Machine): void {
    this.gone.delete(providerId);
    this.off.delete(providerId);
  }

  poweredOff({ providerId, name }: Machine): void {
    this.off.add(providerId);
    this.lookAt(name);
  }

  removed({ providerId, name }: Machine): void {
    this.off.delete(providerId);
    this.gone.add(providerId);
    if (this.gone.size > GONE_MAX) this.gone.delete(this.gone.values().next().value!);
    this.lookAt(name);
  }

  private lookAt(name: string): void {
    this.reconciler.addAfter({ namespace: '', name }, MONITOR_MS);
  }

  private reconcile(name: string): void {
    const node = this.registry.store.get(NODES, undefined, name);
    if (node === undefined) return;
    if (hasTaint(node, UNINITIALIZED)) {
      const machine = this.fleet?.running().find((candidate) => candidate.name === name);
      if (machine !== undefined) this.initialize(node, machine);
      return;
    }
    this.follow(node);
  }

  private initialize(node: Node, machine: Machine): void {
    this.registry.modify(NODES, refOf(node), (draft) => {
      const spec = (draft.spec ??= {});
      spec.providerID ??= machine.providerId;
      spec.taints = (spec.taints ?? []).filter((taint) => taint.key !== UNINITIALIZED);
      draft.metadata.labels = {
        ...draft.metadata.labels,
        'beta.kubernetes.io/instance-type': machine.shape.typeName,
        'failure-domain.beta.kubernetes.io/region': machine.region,
        'node.kubernetes.io/instance-type': machine.shape.typeName,
        'topology.kubernetes.io/region': machine.region,
        ...(machine.zone !== '' && {
          'failure-domain.beta.kubernetes.io/zone': machine.zone,
          'topology.kubernetes.io/zone': machine.zone,
        }),
      };
    });
    if (machine.publicIp === '') return;
    this.registry.modifyStatus(NODES, refOf(node), (draft) => {
      const addresses = (draft.status?.addresses ?? []).filter((address) => address.type !== 'ExternalIP');
      draft.status = {
        ...draft.status,
        addresses: [...addresses, { type: 'ExternalIP', address: machine.publicIp }],
      };
    });
  }

  /** Asks the cloud only for nodes that are not ready, as the real one does. */
  private follow(node: Node): void {
    const providerId = node.spec?.providerID ?? '';
    if (conditionStatus(node.status?.conditions, 'Ready') === 'True') {
      if (hasTaint(node, SHUTDOWN.key))
        this.setTaints(
          node,
          taintsOf(node).filter(({ key }) => key !== SHUTDOWN.key),
        );
    } else if (this.gone.has(providerId)) {
      if (this.keepsGhosts) return this.lookAt(node.metadata.name);
      deleteObject(this.registry, NODES, refOf(node));
      this.gone.delete(providerId);
    } else if (this.off.has(providerId) && !hasTaint(node, SHUTDOWN.key)) {
      this.setTaints(node, [...taintsOf(node), SHUTDOWN]);
    }
  }

  private setTaints(node: Node, taints: readonly Taint[]): void {
    this.registry.modify(NODES, refOf(node), (draft) => {
      (draft.spec ??= {}).taints = taints.map((taint) => ({ ...taint }));
    });
  }
}

function taintsOf(node: Node): readonly Taint[] {
  return node.spec?.taints ?? [];
}

function hasTaint(node: Node, key: string): boolean {
  return taintsOf(node).some((taint) => taint.key === key);
}
