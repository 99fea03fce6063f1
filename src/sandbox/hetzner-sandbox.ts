import { CloudSandbox } from './cloud-sandbox.js';
import type { CloudSandboxOptions } from './cloud-sandbox.js';
import { frontWithAdmin, HetznerCloud } from './hetzner/index.js';
import type { SettingsChange } from './hetzner/index.js';
import type { NodeProfile } from './kubernetes/index.js';
import type { Front } from './world/front.js';
import type { Machine } from './world/machine.js';

/** Label that puts a server into a pool. */
export const POOL_LABEL = 'hcloud/node-group';

export interface HetznerSandboxOptions extends CloudSandboxOptions {
  readonly hetzner?: SettingsChange;
}

/** A cluster on Hetzner Cloud: servers bought there become nodes here. */
export class HetznerSandbox extends CloudSandbox {
  readonly cloud: HetznerCloud;

  constructor(options: HetznerSandboxOptions) {
    super(options);
    this.cloud = new HetznerCloud({
      clock: this.clock,
      random: this.random,
      fleet: this.fleet,
      ...(options.hetzner && { settings: options.hetzner }),
    });
  }

  /** Servers that belong to the pool, whatever their state. */
  poolServers(pool: string): readonly { readonly name: string; readonly status: string }[] {
    return this.cloud.servers().filter(({ labels }) => labels[POOL_LABEL] === pool);
  }

  protected cloudFront(kind: 'plain' | 'with admin'): { front: Front; versionPath: string } {
    return { front: kind === 'plain' ? this.cloud.front : frontWithAdmin(this.cloud), versionPath: '/v1' };
  }

  /** What a pool's cloud-init does: the node registers with the label of its pool. */
  protected profileOf(machine: Machine, wanted: NodeProfile): NodeProfile {
    const pool = machine.labels[POOL_LABEL];
    return pool === undefined ? wanted : { ...wanted, labels: { [POOL_LABEL]: pool, ...wanted.labels } };
  }
}
