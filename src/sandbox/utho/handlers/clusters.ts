import { ok, statusError } from '../api/answers.js';
import type { Answer } from '../api/answers.js';
import type { Call, Route } from '../api/router.js';
import type { Views } from '../api/views.js';
import type { ClusterPower } from '../state/cluster-power.js';
import type { UthoWorld } from '../state/world.js';
import { clusterOf, maySee } from './lookup.js';

/** What a client must say to destroy a cluster. */
const CONFIRMATION = 'I am aware this action will delete data and cluster permanently';

/** Clusters as a whole (`utho` 3.4, 3.8). */
export class ClusterHandlers {
  constructor(
    private readonly world: UthoWorld,
    private readonly power: ClusterPower,
    private readonly views: Views,
  ) {}

  routes(): readonly Route[] {
    const cluster = '/kubernetes/{cluster}';
    return [
      { method: 'GET', path: '/kubernetes', handler: (call) => this.list(call) },
      { method: 'GET', path: cluster, handler: (call) => this.read(call) },
      { method: 'POST', path: `${cluster}/stop`, handler: (call) => this.switchPower(call, 'off') },
      { method: 'POST', path: `${cluster}/start`, handler: (call) => this.switchPower(call, 'on') },
      { method: 'DELETE', path: `${cluster}/destroy`, handler: (call) => this.destroy(call) },
    ];
  }

  private list({ token }: Call): Answer {
    const visible = [...this.world.clusters.values()].filter((cluster) => maySee(token, cluster));
    return ok({ k8s: visible.map((cluster) => this.views.clusterRow(cluster)), rcode: 'success' });
  }

  private read(call: Call): Answer {
    const cluster = clusterOf(this.world, call, true);
    return ok(this.views.cluster(this.world.readLag.read(cluster)));
  }

  private switchPower(call: Call, to: 'on' | 'off'): Answer {
    const cluster = clusterOf(this.world, call);
    this.world.readLag.beforeWrite(cluster);
    if (to === 'on') this.power.start(cluster);
    else this.power.stop(cluster);
    const message = `Power ${to} Request has been completed!`;
    return ok({ status: 'success', message });
  }

  private destroy(call: Call): Answer {
    const cluster = clusterOf(this.world, call);
    // The sentences are invented.
    if (call.body?.['confirm'] !== CONFIRMATION) throw statusError('Please confirm the deletion.');
    this.power.destroy(cluster, call.cause);
    return ok({ status: 'success', message: 'Cluster destroyed successfully' });
  }
}
