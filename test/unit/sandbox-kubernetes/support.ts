import { KubernetesCluster } from '../../../src/sandbox/kubernetes/index.js';
import type { ClusterOptions, Manifest, NodeProfileOf } from '../../../src/sandbox/kubernetes/index.js';
import type { FrontResponse } from '../../../src/sandbox/world/front.js';
import { MachineFleet } from '../../../src/sandbox/world/machine.js';
import type { Machine } from '../../../src/sandbox/world/machine.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

export const GIB = 2 ** 30;

export interface Stage {
  readonly clock: VirtualClock;
  readonly fleet: MachineFleet;
  readonly cluster: KubernetesCluster;
}

/** A cluster under virtual time; its control plane works from `cluster.start()` on. */
export function stage(
  options: ClusterOptions = {},
  nodeProfile: NodeProfileOf = () => ({}),
  seed = 1,
): Stage {
  const clock = new VirtualClock();
  const fleet = new MachineFleet();
  const cluster = new KubernetesCluster({
    clock,
    random: new SeededRandom(seed),
    fleet,
    nodeProfile,
    options,
  });
  return { clock, fleet, cluster };
}

export function machine(name: string, fields: Partial<Machine> = {}): Machine {
  return {
    providerId: `hcloud://${name}`,
    name,
    shape: { typeName: 'cx22', cpuCores: 2, memoryBytes: 4 * GIB, diskBytes: 40 * GIB, arch: 'amd64' },
    region: 'eu-central',
    zone: 'fsn1',
    labels: {},
    userData: '',
    privateIp: '10.0.0.2',
    publicIp: '192.0.2.2',
    ...fields,
  };
}

/** A node without a machine, ready and roomy. */
export function readyNode(
  name: string,
  fields: { cpu?: string; labels?: object; spec?: object } = {},
): Manifest {
  const room = { cpu: fields.cpu ?? '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '100Gi' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...fields.labels } },
    spec: fields.spec ?? {},
    status: { capacity: room, allocatable: room, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

export function podManifest(
  name: string,
  fields: {
    cpu?: string;
    labels?: Record<string, string>;
    spec?: object;
    annotations?: Record<string, string>;
  } = {},
): Manifest {
  const requests = { cpu: fields.cpu ?? '100m' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: fields.labels ?? {}, annotations: fields.annotations ?? {} },
    spec: { containers: [{ name: 'main', image: 'app', resources: { requests } }], ...fields.spec },
  };
}

export function workload(
  kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet',
  name: string,
  fields: { replicas?: number; cpu?: string; spec?: object } = {},
): Manifest {
  const labels = { app: name };
  const { replicas, cpu = '100m', spec } = fields;
  const containers = [{ name: 'main', image: 'app:1', resources: { requests: { cpu } } }];
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
      ...spec,
    },
  };
}

export function budget(name: string, app: string, spec: object): Manifest {
  const selector = { matchLabels: { app } };
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { selector, ...spec },
  };
}

interface RequestOptions {
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** One request to the API, as a client sends it. */
export function send(
  cluster: KubernetesCluster,
  method: string,
  url: string,
  options: RequestOptions = {},
): Promise<FrontResponse> {
  const { pathname, searchParams } = new URL(url, 'http://sandbox');
  return cluster.front.handle({
    method,
    path: pathname,
    query: searchParams,
    headers: { 'content-type': options.type ?? 'application/json', ...options.headers },
    body: options.body === undefined ? '' : JSON.stringify(options.body),
    signal: options.signal ?? new AbortController().signal,
  });
}

/** The answer's status and parsed body. */
export async function call(
  cluster: KubernetesCluster,
  method: string,
  url: string,
  body?: unknown,
  type?: string,
): Promise<{ status: number; body: any }> {
  const response = await send(cluster, method, url, { body, ...(type === undefined ? {} : { type }) });
  return { status: response.status, body: JSON.parse(response.body as string) };
}

export interface WatchEvent {
  readonly type: string;
  readonly object: any;
}

/** Reads a watch in the background. */
export class WatchReader {
  readonly events: WatchEvent[] = [];
  ended = false;
  error: unknown = null;

  constructor(body: AsyncIterable<string>) {
    void this.read(body);
  }

  static async open(cluster: KubernetesCluster, url: string, signal?: AbortSignal): Promise<WatchReader> {
    const response = await send(cluster, 'GET', url, signal === undefined ? {} : { signal });
    return new WatchReader(response.body as AsyncIterable<string>);
  }

  /** `ADDED p1`, … */
  summary(): string[] {
    return this.events.map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code}`);
  }

  private async read(body: AsyncIterable<string>): Promise<void> {
    try {
      for await (const chunk of body) {
        for (const line of chunk.split('\n')) if (line !== '') this.events.push(JSON.parse(line));
      }
    } catch (error) {
      this.error = error;
    }
    this.ended = true;
  }
}
