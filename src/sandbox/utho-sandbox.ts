import { CloudSandbox } from './cloud-sandbox.js';
import type { CloudSandboxOptions } from './cloud-sandbox.js';
import type { NodeProfile } from './kubernetes/index.js';
import { frontWithAdmin, UthoCloud } from './utho/index.js';
import type { SettingsChange } from './utho/index.js';
import type { Front } from './world/front.js';
import type { Machine } from './world/machine.js';

/** Label that says to which pool a node belongs; the control plane has none. */
export const NODE_POOL_LABEL = 'nodepool_id';

const CONTROL_PLANE_ROLE = 'node-role.kubernetes.io/control-plane';

export interface UthoSandboxOptions extends CloudSandboxOptions {
  readonly utho?: SettingsChange;
  /**
   * False: no cloud controller runs. Nodes have no provider id, no type, no region, and stay when their workers go.
   * When it runs, `kubernetes.initializeMs` is what it needs for a new node.
   */
  readonly cloudController?: boolean;
}

/** A cluster on Utho, the first of its cloud: workers that run there become nodes here. */
export class UthoSandbox extends CloudSandbox {
  readonly cloud: UthoCloud;
  private readonly cloudController: boolean;

  constructor(options: UthoSandboxOptions) {
    super(options);
    this.cloudController = options.cloudController ?? true;
    this.cloud = new UthoCloud({
      clock: this.clock,
      random: this.random,
      fleet: this.fleet,
      ...(options.utho && { settings: options.utho }),
    });
  }

  protected cloudFront(kind: 'plain' | 'with admin'): { front: Front; versionPath: string } {
    return { front: kind === 'plain' ? this.cloud.front : frontWithAdmin(this.cloud), versionPath: '/v2' };
  }

  /** The platform labels its nodes; the one of the control plane takes no ordinary pods. */
  protected profileOf(machine: Machine, wanted: NodeProfile): NodeProfile {
    const isWorker = Object.hasOwn(machine.labels, NODE_POOL_LABEL);
    const role = isWorker ? {} : { [CONTROL_PLANE_ROLE]: '' };
    const taints = isWorker ? [] : [{ key: CONTROL_PLANE_ROLE, effect: 'NoSchedule' }];
    return {
      joins: machine.labels['cluster_id'] === this.cloud.cluster().id,
      taints,
      cloudManaged: this.cloudController,
      ...wanted,
      labels: { ...machine.labels, ...role, ...wanted.labels },
    };
  }
}
