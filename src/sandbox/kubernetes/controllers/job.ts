import { conditionStatus, withCondition } from '../objects/condition.js';
import type { Condition } from '../objects/condition.js';
import { JOBS, PODS } from '../objects/kinds.js';
import type { Job, Pod } from '../objects/types.js';
import { deleteObject } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import { parseTimestamp } from '../objects/time.js';
import type { OwnerIndex } from './owner-index.js';
import { ownersOf } from './owner-index.js';
import { createPod, deletePod, isActive, podFromTemplate } from './pods.js';
import { Reconciler, refOf } from './reconciler.js';

/** First pause after a failed pod, doubled with each further one; upstream values. */
const BACKOFF_MS = 10_000;
const BACKOFF_MS_MAX = 10 * 60_000;

/** Runs pods until enough have succeeded, or too many failed. */
export function jobController(registry: Registry, index: OwnerIndex): Reconciler {
  return new Reconciler(registry, (ref, reconciler) => {
    const job = registry.store.get(JOBS, ref.namespace, ref.name);
    if (job === undefined || job.metadata.deletionTimestamp !== undefined) return;
    if (isOver(job)) return expire(registry, job, reconciler);
    const pauseMs = advance(registry, job, index.controlledBy(job, PODS));
    if (pauseMs > 0) reconciler.addAfter(ref, pauseMs);
  })
    .watchOwn(JOBS)
    .watch(PODS, (event) => ownersOf(event, 'Job'));
}

function isOver({ status }: Job): boolean {
  return (
    conditionStatus(status?.conditions, 'Complete') === 'True' ||
    conditionStatus(status?.conditions, 'Failed') === 'True'
  );
}

function countPhase(pods: readonly Pod[], phase: string): number {
  return pods.filter((pod) => pod.status?.phase === phase).length;
}

/** Returns the pause in milliseconds until pods may be made again, or 0. */
function advance(registry: Registry, job: Job, pods: readonly Pod[]): number {
  const { spec } = job;
  const active = pods.filter(isActive);
  const succeeded = countPhase(pods, 'Succeeded');
  const failed = countPhase(pods, 'Failed');
  const completions = spec.completions ?? null;
  if (failed > (spec.backoffLimit ?? 6)) {
    const reason = 'BackoffLimitExceeded';
    const message = 'Job has reached the specified backoff limit';
    for (const pod of active) deletePod(registry, pod);
    return finish(registry, job, pods, { type: 'Failed', status: 'True', reason, message });
  }
  if (completions === null ? succeeded > 0 && active.length === 0 : succeeded >= completions) {
    return finish(registry, job, pods, { type: 'Complete', status: 'True', reason: 'CompletionsReached' });
  }
  const pauseMs = remainingPauseMs(registry, pods, failed);
  const open = completions === null ? (succeeded > 0 ? 0 : Infinity) : completions - succeeded;
  const wanted = spec.suspend === true ? 0 : Math.min(spec.parallelism ?? 1, open);
  if (pauseMs === 0) for (let count = active.length; count < wanted; count++) createJobPod(registry, job);
  for (const pod of active.slice(wanted)) deletePod(registry, pod);
  writeStatus(registry, job, pods, null);
  return pauseMs;
}

function createJobPod(registry: Registry, job: Job): void {
  const pod = podFromTemplate(job, job.spec.template);
  pod.metadata!.generateName = `${job.metadata.name}-`;
  createPod(registry, job, pod);
}

function remainingPauseMs(registry: Registry, pods: readonly Pod[], failed: number): number {
  if (failed === 0) return 0;
  const transitions = pods
    .filter((pod) => pod.status?.phase === 'Failed')
    .flatMap((pod) => pod.status?.conditions ?? [])
    .map((condition) => parseTimestamp(condition.lastTransitionTime ?? ''));
  const lastMs = Math.max(0, ...transitions.filter((time) => !Number.isNaN(time)));
  const pauseMs = Math.min(BACKOFF_MS * 2 ** (failed - 1), BACKOFF_MS_MAX);
  return Math.max(0, lastMs + pauseMs - registry.clock.now());
}

function finish(registry: Registry, job: Job, pods: readonly Pod[], outcome: Condition): number {
  writeStatus(registry, job, pods, outcome);
  return 0;
}

function writeStatus(registry: Registry, job: Job, pods: readonly Pod[], outcome: Condition | null): void {
  const active = outcome === null ? pods.filter(isActive) : [];
  registry.modifyStatus(JOBS, refOf(job), (draft) => {
    const now = registry.now();
    const complete = outcome?.type === 'Complete';
    draft.status = {
      ...draft.status,
      startTime: job.status?.startTime ?? now,
      active: active.length,
      ready: active.filter((pod) => pod.status?.phase === 'Running').length,
      succeeded: countPhase(pods, 'Succeeded'),
      failed: countPhase(pods, 'Failed'),
      ...(complete ? { completionTime: now } : {}),
      ...(outcome === null ? {} : { conditions: withCondition(draft.status?.conditions, outcome, now) }),
    };
  });
}

/** `ttlSecondsAfterFinished`. */
function expire(registry: Registry, job: Job, reconciler: Reconciler): void {
  const ttlSeconds = job.spec['ttlSecondsAfterFinished'];
  const over = job.status?.conditions?.find((condition) => condition.status === 'True');
  if (typeof ttlSeconds !== 'number' || over?.lastTransitionTime === undefined) return;
  const leftMs = parseTimestamp(over.lastTransitionTime) + ttlSeconds * 1_000 - registry.clock.now();
  if (leftMs > 0) reconciler.addAfter(refOf(job), leftMs);
  else deleteObject(registry, JOBS, refOf(job));
}
