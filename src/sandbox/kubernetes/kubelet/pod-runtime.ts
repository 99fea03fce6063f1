import { withCondition } from '../objects/condition.js';
import type { Condition } from '../objects/condition.js';
import { PODS } from '../objects/kinds.js';
import type { Draft } from '../objects/object.js';
import type { Pod } from '../objects/types.js';
import type { Registry } from '../registry/registry.js';
import { isFinished, deletePod } from '../controllers/pods.js';
import { refOf } from '../controllers/reconciler.js';
import type { ScheduledTask } from '../../world/world-clock.js';

/** Annotations of a pod that tell the sandbox how it behaves; durations in seconds. */
export const START_AFTER = 'sandbox.evenkeel/start-after-seconds';
/** The pod ends by itself after running so long, … */
export const RUN_FOR = 'sandbox.evenkeel/run-for-seconds';
/** … with this exit code; 0 if absent. */
export const EXIT_CODE = 'sandbox.evenkeel/exit-code';
/** Time that it takes to stop once asked to; the grace period bounds it. */
export const STOP_AFTER = 'sandbox.evenkeel/stop-after-seconds';

export interface PodTimes {
  readonly startMs: number;
  readonly stopMs: number;
}

/** The containers of one node: starts, ends and stops its pods. */
export class PodRuntime {
  private readonly starting = new Map<string, ScheduledTask>();
  private readonly running = new Map<string, ScheduledTask>();
  private readonly stopping = new Map<string, { readonly atMs: number; readonly task: ScheduledTask }>();
  private lastAddress = 1;

  constructor(
    private readonly registry: Registry,
    private readonly times: PodTimes,
    private readonly network: { readonly hostIp: string; readonly podPrefix: string },
  ) {}

  /** Brings the pod towards what its object says. */
  sync(pod: Pod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) return this.stopLater(pod);
    if (isFinished(pod) || this.running.has(uid) || this.starting.has(uid)) return;
    if (pod.status?.phase === 'Running') return this.takeOver(pod);
    const startMs = secondsOf(pod, START_AFTER, this.times.startMs);
    this.starting.set(
      uid,
      this.later(startMs, () => this.start(pod)),
    );
  }

  /** The object is gone. */
  forget(uid: string): void {
    for (const tasks of [this.starting, this.running]) {
      tasks.get(uid)?.cancel();
      tasks.delete(uid);
    }
    this.stopping.get(uid)?.task.cancel();
    this.stopping.delete(uid);
  }

  /** Power is off: nothing happens any more, and nobody is told. */
  halt(): void {
    for (const uid of [...this.starting.keys(), ...this.running.keys(), ...this.stopping.keys()])
      this.forget(uid);
  }

  private later(delayMs: number, task: () => void): ScheduledTask {
    return this.registry.clock.schedule(delayMs, task);
  }

  private start(pod: Pod): void {
    this.starting.delete(pod.metadata.uid);
    this.write(pod, (draft) => {
      const now = this.registry.now();
      const { hostIp } = this.network;
      const podIp = pod.spec.hostNetwork === true ? hostIp : this.nextAddress();
      draft.status = {
        ...draft.status,
        phase: 'Running',
        startTime: now,
        hostIP: hostIp,
        hostIPs: [{ ip: hostIp }],
        podIP: podIp,
        podIPs: [{ ip: podIp }],
        conditions: setAll(draft.status?.conditions ?? [], RUNNING_CONDITIONS, 'True', now),
        containerStatuses: containerStatuses(pod, { running: { startedAt: now } }, true),
      };
    });
  }

  /** Its own write of Running comes back here, and also pods that ran while the node was away and marked unready. */
  private takeOver(pod: Pod): void {
    this.endLater(pod);
    const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready');
    if (ready?.reason !== 'NodeNotReady') return;
    this.write(pod, (draft) => {
      const condition = { type: 'Ready', status: 'True', lastProbeTime: null };
      draft.status!.conditions = withCondition(draft.status!.conditions, condition, this.registry.now());
    });
  }

  private nextAddress(): string {
    this.lastAddress = this.lastAddress >= 254 ? 2 : this.lastAddress + 1;
    return `${this.network.podPrefix}.${this.lastAddress}`;
  }

  private endLater(pod: Pod): void {
    const seconds = pod.metadata.annotations?.[RUN_FOR];
    if (seconds === undefined) return;
    const task = this.later(Number(seconds) * 1_000, () => this.end(pod));
    this.running.set(pod.metadata.uid, task);
  }

  private end(pod: Pod): void {
    const exitCode = Number(pod.metadata.annotations?.[EXIT_CODE] ?? 0);
    const policy = pod.spec.restartPolicy ?? 'Always';
    this.running.delete(pod.metadata.uid);
    if (policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)) this.restart(pod);
    else this.finish(pod, exitCode);
  }

  private restart(pod: Pod): void {
    this.write(pod, (draft) => {
      for (const container of draft.status?.containerStatuses ?? []) container.restartCount++;
    });
  }

  private finish(pod: Pod, exitCode: number): void {
    this.write(pod, (draft) => {
      const now = this.registry.now();
      const reason = exitCode === 0 ? 'Completed' : 'Error';
      draft.status = {
        ...draft.status,
        phase: exitCode === 0 ? 'Succeeded' : 'Failed',
        conditions: setAll(draft.status?.conditions ?? [], ENDED_CONDITIONS, 'False', now, 'PodCompleted'),
        containerStatuses: containerStatuses(
          pod,
          { terminated: { exitCode, reason, finishedAt: now } },
          false,
        ),
      };
    });
  }

  /** A shorter grace period brings the end forward; it is never put off. */
  private stopLater(pod: Pod): void {
    const { uid, deletionGracePeriodSeconds = 0 } = pod.metadata;
    const wasRunning = pod.status?.phase === 'Running';
    const stopMs = wasRunning ? secondsOf(pod, STOP_AFTER, this.times.stopMs) : 0;
    const delayMs = Math.min(deletionGracePeriodSeconds * 1_000, stopMs);
    const atMs = this.registry.clock.now() + delayMs;
    const known = this.stopping.get(uid);
    if (known !== undefined && known.atMs <= atMs) return;
    this.forget(uid);
    const task = this.later(delayMs, () => {
      this.stopping.delete(uid);
      deletePod(this.registry, pod, { gracePeriodSeconds: 0 });
    });
    this.stopping.set(uid, { atMs, task });
  }

  private write(pod: Pod, change: (draft: Draft<Pod>) => void): void {
    const { namespace, name, uid } = pod.metadata;
    if (this.registry.store.get(PODS, namespace, name)?.metadata.uid !== uid) return;
    this.registry.modifyStatus(PODS, refOf(pod), change);
  }
}

const RUNNING_CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady'];
const ENDED_CONDITIONS = ['PodReadyToStartContainers', 'Ready', 'ContainersReady'];

function setAll(
  conditions: readonly Condition[],
  types: readonly string[],
  status: string,
  now: string,
  reason?: string,
): Condition[] {
  const because = reason === undefined ? {} : { reason };
  return types.reduce<Condition[]>(
    (list, type) => withCondition(list, { type, status, ...because, lastProbeTime: null }, now),
    [...conditions],
  );
}

interface ContainerStatus {
  readonly ready: boolean;
  readonly restartCount: number;
  readonly [field: string]: unknown;
}

function containerStatuses(
  pod: Pod,
  state: Readonly<Record<string, unknown>>,
  ready: boolean,
): Draft<ContainerStatus>[] {
  return pod.spec.containers.map(({ name, image = '' }) => ({
    name,
    image,
    imageID: image,
    ready,
    started: ready,
    restartCount: 0,
    state: { ...state },
    lastState: {},
  }));
}

function secondsOf(pod: Pod, annotation: string, otherwiseMs: number): number {
  const text = pod.metadata.annotations?.[annotation];
  return text === undefined ? otherwiseMs : Number(text) * 1_000;
}
