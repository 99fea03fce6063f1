import type { StatusGroup, StatusInput, StatusNodeCounts } from './status-input.js';
import { renderGoTime, renderRfc3339 } from './utc-time.js';

/** When each condition last changed, by condition. Lives from loop to loop. */
export type StatusMemory = ReadonlyMap<
  string,
  { readonly status: string; readonly changedMs: number | null }
>;

export const NO_STATUS_MEMORY: StatusMemory = new Map<string, never>();

/** The status of `interface` 4.3 as plain data. */
export interface StatusReport {
  readonly document: object;
  /** Field `time`, and the annotation. */
  readonly lastUpdated: string;
}

/** Longest error message in the map. */
const MESSAGE_LENGTH_MAX = 500;
const TRUNCATED = '<truncated>';

/**
 * 700 groups of at most 1.4 KiB stay below 1 MiB, the limit of a ConfigMap. differs from upstream: with more groups
 * the rest is left out with a message, where upstream's write is refused as a whole.
 */
const GROUPS_MAX = 700;

/** Before the first loop, and while the cluster is empty. */
export function buildInitializingStatus(nowMs: number, message = ''): StatusReport {
  const never = { lastProbeTime: null, lastTransitionTime: null };
  const health = { nodeCounts: renderCounts(NO_NODES), ...never };
  return wrap('Initializing', nowMs, message, { clusterWide: { health, scaleUp: never, scaleDown: never } });
}

/** The status of a loop, and the memory for the next one. */
export function buildStatus(
  input: StatusInput,
  memory: StatusMemory,
): { readonly report: StatusReport; readonly memory: StatusMemory } {
  const conditions = new Conditions(input, memory);
  const shown = input.groups.slice(0, GROUPS_MAX);
  const leftOut = input.groups.length - shown.length;
  const isScalingUp = input.groups.some((group) => group.isScalingUp);
  const body = {
    clusterWide: {
      health: {
        ...conditions.health('cluster', input.isHealthy),
        nodeCounts: renderCounts(input.counts),
      },
      scaleUp: conditions.at('cluster/scale-up', isScalingUp ? 'InProgress' : 'NoActivity'),
      scaleDown: conditions.scaleDown('cluster', input.scaleDownCandidates),
    },
    ...(shown.length === 0 ? {} : { nodeGroups: shown.map((group) => renderGroup(group, conditions)) }),
  };
  const message = leftOut === 0 ? '' : `${leftOut} more node groups are left out`;
  return { report: wrap('Running', input.nowMs, message, body), memory: conditions.next };
}

/** Gives conditions their two times. */
class Conditions {
  readonly next = new Map<string, { status: string; changedMs: number | null }>();

  constructor(
    private readonly input: StatusInput,
    private readonly memory: StatusMemory,
  ) {}

  health(owner: string, isHealthy: boolean): object {
    return this.at(`${owner}/health`, isHealthy ? 'Healthy' : 'Unhealthy');
  }

  scaleDown(owner: string, candidates: number): object {
    const status = candidates > 0 ? 'CandidatesPresent' : 'NoCandidates';
    return {
      ...this.at(`${owner}/scale-down`, status, this.input.scaleDownEvaluatedMs),
      ...omitZero('candidates', candidates),
    };
  }

  at(condition: string, status: string, probedMs: number | null = this.input.nowMs): object {
    const known = this.memory.get(condition);
    const changedMs = known?.status === status ? known.changedMs : probedMs;
    this.next.set(condition, { status, changedMs });
    return { status, lastProbeTime: renderTime(probedMs), lastTransitionTime: renderTime(changedMs) };
  }
}

function renderGroup(group: StatusGroup, conditions: Conditions): object {
  const owner = `group/${group.id}`;
  return {
    name: group.id,
    health: {
      ...conditions.health(owner, group.isHealthy),
      nodeCounts: renderCounts(group.counts),
      cloudProviderTarget: group.targetSize,
      minSize: group.minSize,
      maxSize: group.maxSize,
    },
    scaleUp: {
      ...conditions.at(`${owner}/scale-up`, scaleUpStatus(group)),
      backoffInfo: renderBackoff(group),
    },
    scaleDown: conditions.scaleDown(owner, group.scaleDownCandidates),
  };
}

/** The first that applies. */
function scaleUpStatus(group: StatusGroup): string {
  if (group.isScalingUp) return 'InProgress';
  if (!group.isHealthy) return 'Unhealthy';
  return group.backoff === null ? 'NoActivity' : 'Backoff';
}

function renderBackoff({ backoff }: StatusGroup): object {
  if (backoff === null) return {};
  return { errorCode: backoff.code, errorMessage: truncate(backoff.message) };
}

function truncate(message: string): string {
  if (message.length <= MESSAGE_LENGTH_MAX) return message;
  return `${message.slice(0, MESSAGE_LENGTH_MAX - TRUNCATED.length)}${TRUNCATED}`;
}

const NO_NODES: StatusNodeCounts = {
  total: 0,
  ready: 0,
  notStarted: 0,
  suspended: 0,
  beingDeleted: 0,
  unready: 0,
  resourceUnready: 0,
  longUnregistered: 0,
  unregistered: 0,
};

function renderCounts(counts: StatusNodeCounts): object {
  return {
    registered: {
      total: counts.total,
      ready: counts.ready,
      notStarted: counts.notStarted,
      suspended: counts.suspended,
      ...omitZero('beingDeleted', counts.beingDeleted),
      unready: { total: counts.unready, resourceUnready: counts.resourceUnready },
    },
    longUnregistered: counts.longUnregistered,
    unregistered: counts.unregistered,
  };
}

function wrap(autoscalerStatus: string, nowMs: number, message: string, body: object): StatusReport {
  const lastUpdated = renderGoTime(nowMs);
  const told = message === '' ? {} : { message };
  return { document: { time: lastUpdated, autoscalerStatus, ...told, ...body }, lastUpdated };
}

function omitZero(name: string, value: number): object {
  return value === 0 ? {} : { [name]: value };
}

function renderTime(ms: number | null): string | null {
  return ms === null ? null : renderRfc3339(ms);
}
