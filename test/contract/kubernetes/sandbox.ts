import { IncidentLog } from '../../../src/application/incidents/incident-log.js';
import type { LogFields, Logger } from '../../../src/application/ports/logger.js';
import { connectKubernetes } from '../../../src/adapters/kubernetes/index.js';
import type {
  KubernetesConnection,
  KubernetesConnectionOptions,
} from '../../../src/adapters/kubernetes/index.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import { KubernetesCluster } from '../../../src/sandbox/kubernetes/index.js';
import type { KubeObject, Kind, Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import type { Front } from '../../../src/sandbox/world/front.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

export const SERVER = 'http://kubernetes.sandbox';

export class LinesLogger implements Logger {
  readonly lines: {
    readonly level: string;
    readonly event: string;
    readonly message: string;
    readonly fields: LogFields;
  }[] = [];
  debug = (event: string, message: string, fields: LogFields = {}): void =>
    this.add('debug', event, message, fields);
  info = (event: string, message: string, fields: LogFields = {}): void =>
    this.add('info', event, message, fields);
  warn = (event: string, message: string, fields: LogFields = {}): void =>
    this.add('warn', event, message, fields);
  error = (event: string, message: string, fields: LogFields = {}): void =>
    this.add('error', event, message, fields);

  events(): string[] {
    return this.lines.map((line) => line.event);
  }

  private add(level: string, event: string, message: string, fields: LogFields): void {
    this.lines.push({ level, event, message, fields });
  }
}

/** A process on a world of its own under virtual time: its clock, its random source, its log. */
export class Process {
  readonly logger = new LinesLogger();
  readonly random: SeededRandom;
  readonly incidents: IncidentLog;

  constructor(
    readonly clock: VirtualClock,
    seed: string,
  ) {
    this.random = new SeededRandom(seed);
    this.incidents = new IncidentLog(clock, this.logger);
  }
}

/** A simulated API server without controllers, and the wire to it. */
export class Sandbox {
  readonly clock = new VirtualClock();
  readonly cluster: KubernetesCluster;
  readonly dispatcher: InProcessDispatcher;

  constructor(options: { readonly historyMax?: number } = {}) {
    const parts = { clock: this.clock, random: new SeededRandom(1), fleet: new MachineFleet() };
    this.cluster = new KubernetesCluster({ ...parts, options });
    this.dispatcher = new InProcessDispatcher({ clock: this.clock }).mount(SERVER, this.cluster.front);
  }

  /** Lets another front answer in the place of the cluster. */
  mount(front: Front): void {
    this.dispatcher.mount(SERVER, front);
  }

  process(seed = 'test'): Process {
    return new Process(this.clock, seed);
  }

  connect(options: Partial<KubernetesConnectionOptions> = {}): Promise<KubernetesConnection> {
    return connectKubernetes({
      address: { kind: 'url', url: `${SERVER}?inClusterConfig=false` },
      clock: this.clock,
      dispatcher: this.dispatcher,
      qps: 1_000,
      burst: 1_000,
      ...options,
    });
  }

  createNode(name: string, fields: Partial<Manifest> = {}): KubeObject {
    return this.cluster.create({ kind: 'Node', metadata: { name }, ...fields });
  }

  createPod(name: string, spec: Record<string, unknown> = {}): KubeObject {
    const containers = [{ name: 'main', image: 'x' }];
    return this.cluster.create({ kind: 'Pod', metadata: { name }, spec: { containers, ...spec } });
  }

  /** Gone at once, without waiting for a kubelet. */
  delete(kind: Kind, name: string): void {
    this.cluster.delete(kind, name, 'default', { gracePeriodSeconds: 0 });
  }

  /** Requests whose path and query hold the text. */
  requests(method: string, text: string): string[] {
    return this.cluster.requests
      .list((request) => request.method === method && `${request.path}?${request.query}`.includes(text))
      .map((request) => `${request.path}?${request.query}`);
  }
}
