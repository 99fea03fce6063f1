import { DecisionLog } from '../../../src/application/report/decision-log.js';
import {
  GroupEvents,
  HappeningReporter,
  ScaleUpExecutor,
  ScaleUpPlanner,
  ScaleUpReporter,
  ScaleUpRunner,
} from '../../../src/application/scale-up/index.js';
import type { ScaleUpContext, ScaleUpOutcome } from '../../../src/application/scale-up/index.js';
import type { ClusterEvent } from '../../../src/application/ports/cluster-writer.js';
import type { CloudErrorKind, CloudFailure } from '../../../src/domain/node-group/node-group.js';
import { estimateByRuns } from '../../../src/domain/estimation/index.js';
import { DEFAULT_SCALE_UP_POLICY } from '../../../src/domain/scale-up/index.js';
import { classifyPods } from '../../../src/domain/simulation/index.js';
import { RecordedLog } from '../../support/recorders.js';
import { MINUTE, T0, buildMachineTemplate, buildNode } from '../../support/builders.js';
import { STRICT } from '../readiness/cluster-world.js';
import { fates, pending, prepare } from '../scale-up/scale-up-world.js';
import type { Cluster, Pool } from '../scale-up/scale-up-world.js';
import { FIRST, FakeClock, FakeCloud, FakeMetrics, FakeWriter, SILENT, STATUS } from './fake-ports.js';
import type { Refusal } from './fake-ports.js';

interface Story extends Cluster {
  refusals?: Record<string, Refusal>;
  parallel?: boolean;
  clock?: FakeClock;
  signal?: AbortSignal;
  prices?: Record<string, number>;
}

interface Told {
  readonly outcome: ScaleUpOutcome;
  readonly calls: readonly string[];
  readonly events: readonly ClusterEvent[];
  readonly counters: Record<string, number>;
  readonly nodeNames: readonly string[];
  readonly warnings: readonly string[];
}

function build(story: Story) {
  const prepared = prepare(story);
  const cloud = new FakeCloud(prepared.observation.groups);
  for (const [groupId, refusal] of Object.entries(story.refusals ?? {})) cloud.refusals.set(groupId, refusal);
  const writer = new FakeWriter();
  const metrics = new FakeMetrics();
  const log = new RecordedLog();
  const clock = story.clock ?? new FakeClock();
  const options = { parallel: story.parallel ?? false, statusSubject: () => STATUS };
  const events = new GroupEvents(writer, options);
  const runner = new ScaleUpRunner(
    cloud,
    new ScaleUpExecutor(cloud, events, SILENT, metrics, options),
    new ScaleUpReporter(writer, events, new DecisionLog(SILENT), metrics),
    new HappeningReporter(events, metrics, log),
    new ScaleUpPlanner(cloud, clock, FIRST, metrics),
    clock,
  );
  const machines = new Map(
    Object.entries(story.pools).map(([id, pool]) => [
      id,
      { ...buildMachineTemplate(`machine-${id}`, pool.node), pricePerHour: story.prices?.[id] ?? null },
    ]),
  );
  const context: ScaleUpContext = {
    ...prepared,
    machines,
    quotas: story.quotas ?? [],
    estimator: estimateByRuns,
    policy: { ...DEFAULT_SCALE_UP_POLICY, ...story.policy },
    clusterStatePolicy: STRICT,
  };
  return { runner, context, cloud, writer, metrics, log };
}

async function tell(story: Story): Promise<Told> {
  const { runner, context, cloud, writer, metrics, log } = build(story);
  const { classes } = classifyPods(story.pods ?? []);
  const outcome = await runner.run(context, classes, story.signal ?? new AbortController().signal);
  return {
    outcome,
    calls: cloud.calls,
    events: writer.events,
    counters: metrics.counters,
    nodeNames: context.snapshot.nodeNames(),
    warnings: log.of('back-off-entered').map(({ message }) => message),
  };
}

const failure = (kind: CloudErrorKind, code = 'cloudProviderError', message = 'it failed'): CloudFailure => ({
  kind,
  code,
  message,
});
const pool = (size = 0, fields: Pool = {}): Pool => ({
  size,
  maxSize: 10,
  busyMilli: 1000,
  ...fields,
  node: { cpuMilli: 1000, ...fields.node },
});
const texts = (events: readonly ClusterEvent[]) =>
  events.map(({ reason, message }) => `${reason}: ${message}`);

describe('a growth that the cloud accepts', () => {
  // interface 9/36
  it('is announced, counted, remembered and told to the pods', async () => {
    const { outcome, calls, events, counters } = await tell({
      pools: { pool1: pool(1, { maxSize: 5 }) },
      pods: pending(2, 1000),
    });
    expect(calls).toEqual(['increase pool1 2']);
    expect(outcome).toMatchObject({
      result: 'ScaleUpSuccessful',
      error: null,
      increases: [{ groupId: 'pool1', currentSize: 1, newSize: 3, maxSize: 5 }],
    });
    expect(outcome.memory.requests.pool1).toEqual({
      groupId: 'pool1',
      requestedMs: T0,
      expectedMs: T0 + 15 * MINUTE,
      increase: 2,
    });
    expect(outcome.state.groups.get('pool1')?.upcoming.count).toBe(2);
    expect(texts(events)).toEqual([
      'ScaledUpGroup: Scale-up: setting group pool1 size to 3 instead of 1 (max: 5)',
      'ScaledUpGroup: Scale-up: group pool1 size set to 3 instead of 1 (max: 5)',
      'TriggeredScaleUp: pod triggered scale-up: [{pool1 1->3 (max: 5)}]',
      'TriggeredScaleUp: pod triggered scale-up: [{pool1 1->3 (max: 5)}]',
    ]);
    expect(events.slice(0, 2).map(({ subject }) => subject)).toEqual([STATUS, STATUS]);
    expect(events[2]?.subject).toMatchObject({ kind: 'Pod', name: 'p1000-0' });
    expect(counters).toEqual({ scaled_up_nodes_total: 2 });
  });

  // scale-up 14/43
  it('of GPU nodes is counted under their kind', async () => {
    const node = { labels: { 'example.com/gpu': 'a100' }, allocatable: { 'nvidia.com/gpu': 1 } };
    const { counters } = await tell({ pools: { gpu: pool(0, { node }) }, pods: pending(2, 1000) });
    expect(counters).toEqual({
      'scaled_up_nodes_total gpu_resource_name=nvidia.com/gpu gpu_name=not-listed': 2,
    });
  });

  it('leaves the snapshot as it was', async () => {
    const { nodeNames } = await tell({
      pools: { a: pool(1) },
      pods: pending(3, 1000),
      policy: { salvo: true },
    });
    expect(nodeNames).toEqual(['a-1']);
  });

  it('gives the process time in between', async () => {
    const clock = new FakeClock(T0, 6);
    await tell({ pools: { a: pool(), b: pool() }, pods: pending(1, 1000), clock });
    expect(clock.yields).toBeGreaterThan(1);
  });
});

describe('a group that the cloud refuses', () => {
  const soldOut = failure('stock-out', 'resource_unavailable', 'sold out in nbg1');

  // case U001, U006: the dearer group grows in the same iteration
  it('for want of stock is set aside at once, and the pods are planned again', async () => {
    const { outcome, calls, counters, warnings } = await tell({
      pools: { cheap: pool(), dear: pool() },
      prices: { cheap: 1, dear: 3 },
      pods: pending(2, 1000),
      refusals: { cheap: { failure: soldOut } },
    });
    expect(calls).toEqual(['increase cheap 2', 'increase dear 2']);
    expect(outcome).toMatchObject({ result: 'ScaleUpSuccessful', error: null });
    expect(outcome.increases.map(({ groupId }) => groupId)).toEqual(['dear']);
    expect(outcome.memory.backOffs.cheap).toMatchObject({ untilMs: T0 + 5 * MINUTE, failure: soldOut });
    expect(outcome.memory.requests.cheap).toBeUndefined();
    expect(warnings).toEqual(['group cheap is not grown until 2026-01-01T00:05:00Z: resource_unavailable']);
    expect(fates(outcome.reports).triggered).toHaveLength(2);
    expect(counters).toEqual({
      scaled_up_nodes_total: 2,
      'failed_scale_ups_total reason=resource_unavailable': 1,
      'failed_node_creations_total reason=resource_unavailable': 2,
    });
  });

  it('in part keeps what was accepted, and only the rest goes elsewhere', async () => {
    const { outcome, calls } = await tell({
      pools: { cheap: pool(), dear: pool() },
      prices: { cheap: 1, dear: 3 },
      pods: pending(5, 1000),
      refusals: { cheap: { accepts: 3, failure: soldOut } },
    });
    expect(calls).toEqual(['increase cheap 5', 'increase dear 2']);
    expect(outcome.memory.requests).toMatchObject({ cheap: { increase: 3 }, dear: { increase: 2 } });
    expect(outcome.result).toBe('ScaleUpSuccessful');
    expect(fates(outcome.reports).triggered).toHaveLength(5);
  });

  it('as all others do ends the iteration after each was asked once', async () => {
    const refusals = { a: { failure: soldOut }, b: { failure: soldOut }, c: { failure: soldOut } };
    const { outcome, calls } = await tell({
      pools: { a: pool(), b: pool(), c: pool() },
      pods: pending(1, 1000),
      refusals,
    });
    expect(calls).toEqual(['increase a 1', 'increase b 1', 'increase c 1']);
    expect(outcome.result).toBe('ScaleUpError');
    expect(outcome.error?.type).toBe('resource_unavailable');
    expect(fates(outcome.reports).remaining).toEqual(['p1000-0']);
  });

  // scale-up 14/39
  it('with an error of its own type tells that type', async () => {
    const { outcome, counters, events } = await tell({
      pools: { a: pool(), b: pool() },
      pods: pending(1, 1000),
      refusals: { a: { failure: failure('configuration', 'authError', 'auth error') } },
    });
    expect(outcome.error).toEqual({
      type: 'authError',
      message: 'failed to increase node group size: auth error',
    });
    expect(counters['failed_scale_ups_total reason=authError']).toBe(1);
    expect(texts(events)).toContain('FailedToScaleUpGroup: Scale-up failed for group a: auth error');
  });
});

describe('growth of several groups', () => {
  const pools = { ng1: pool(1), ng2: pool(1) };
  const policy = { balanceSimilarGroups: true };
  const broken = (name: string): Refusal => ({ failure: failure('transient', undefined, `${name} broke`) });

  // scale-up 14/16
  it.each([false, true])('is carried out for all of them (parallel: %s)', async (parallel) => {
    const { outcome, calls } = await tell({ pools, policy, pods: pending(2, 1000), parallel });
    expect(calls).toEqual(['increase ng1 1', 'increase ng2 1']);
    expect(fates(outcome.reports).triggered).toHaveLength(2);
  });

  // scale-up 14/17
  it('stops at the first failure, one after the other', async () => {
    const refusals = { ng1: broken('ng1'), ng2: broken('ng2') };
    const { outcome, calls } = await tell({ pools, policy, pods: pending(2, 1000), refusals });
    expect(calls).toEqual(['increase ng1 1']);
    expect(outcome.error?.type).toBe('cloudProviderError');
    expect(outcome.error?.message).not.toContain('...and other errors');
    expect(fates(outcome.reports).remaining).toHaveLength(2);
  });

  // scale-up 14/18
  it('tells all failures when asked at once', async () => {
    const refusals = { ng1: broken('ng1'), ng2: broken('ng2') };
    const { outcome, calls } = await tell({
      pools,
      policy,
      pods: pending(2, 1000),
      refusals,
      parallel: true,
    });
    expect(calls).toHaveLength(2);
    expect(outcome.error?.message).toContain('...and other errors');
    expect(fates(outcome.reports).remaining).toHaveLength(2);
  });

  // scale-up 14/19
  it('leaves pods to the group that did not fail, when asked at once', async () => {
    const refusals = { ng1: broken('ng1') };
    const sequential = await tell({ pools, policy, pods: pending(2, 1000), refusals });
    expect(sequential.calls).toHaveLength(1);
    expect(fates(sequential.outcome.reports).remaining).toHaveLength(2);
    const parallel = await tell({ pools, policy, pods: pending(2, 1000), refusals, parallel: true });
    expect(parallel.calls).toHaveLength(2);
    expect(parallel.outcome.increases.map(({ groupId }) => groupId)).toEqual(['ng2']);
    expect(fates(parallel.outcome.reports).remaining).toEqual([]);
  });
});

describe('salvo', () => {
  const tied = (kind: string, index: number) =>
    pending(1, 1000, { name: `p${index}`, shape: { nodeSelector: new Map([['kind', kind]]) } })[0]!;
  const pools = {
    x: pool(0, { node: { labels: { kind: 'x' } } }),
    y: pool(0, { node: { labels: { kind: 'y' } } }),
  };
  const pods = [tied('x', 0), tied('y', 1)];

  // scale-up 14/87
  it.each([
    ['off', { salvo: false }, ['increase x 1']],
    ['on', { salvo: true }, ['increase x 1', 'increase y 1']],
    ['on without any time', { salvo: true, salvoBudgetMs: 0 }, ['increase x 1']],
  ])('%s', async (_, policy, expected) => {
    const { outcome, calls } = await tell({ pools, pods, policy });
    expect(calls).toEqual(expected);
    expect(outcome.result).toBe('ScaleUpSuccessful');
  });

  it('ends when nothing more can be done, as a success', async () => {
    const { outcome, calls } = await tell({ pools, pods: [...pods, tied('z', 2)], policy: { salvo: true } });
    expect(calls).toHaveLength(2);
    expect(outcome.result).toBe('ScaleUpSuccessful');
    expect(fates(outcome.reports)).toEqual({ triggered: ['p0', 'p1'], awaiting: [], remaining: ['p2'] });
  });

  // scale-up 14/42
  it('does not hide the pods of a group that fails', async () => {
    const refusals = { y: { failure: failure('transient') } };
    const { outcome } = await tell({ pools, pods, policy: { salvo: true }, refusals });
    expect(outcome.result).toBe('ScaleUpError');
    expect(fates(outcome.reports)).toEqual({ triggered: ['p0'], awaiting: [], remaining: ['p1'] });
  });
});

it('counts groups that a limit keeps from growing', async () => {
  const quotas = [
    {
      id: 'cluster-wide',
      selector: null,
      limits: new Map([
        ['cpu', 0],
        ['memory', 0],
      ]),
    },
  ];
  const { counters } = await tell({ pools: { a: pool(), b: pool() }, pods: pending(1, 1000), quotas });
  expect(counters).toEqual({
    'skipped_scale_events_count direction=up reason=CpuResourceLimit': 2,
    'skipped_scale_events_count direction=up reason=MemoryResourceLimit': 2,
  });
});

it('says that the cluster is full when that cuts the growth', async () => {
  const foreign = [buildNode('foreign', { unschedulable: true })];
  const policy = { maxNodesTotal: 3 };
  const { events, calls } = await tell({ pools: { a: pool(1) }, foreign, pods: pending(3, 1000), policy });
  expect(calls).toEqual(['increase a 1']);
  expect(events.filter(({ subject }) => subject.kind === 'ConfigMap')).toHaveLength(2);
});

// scale-up 14/84
it('does nothing once it is told to stop', async () => {
  const { outcome, calls } = await tell({
    pools: { a: pool() },
    pods: pending(1, 1000),
    signal: AbortSignal.abort(),
  });
  expect(calls).toEqual([]);
  expect(outcome.result).toBe('ScaleUpNotNeeded');
});

describe('minimum sizes', () => {
  it('are asked for, and a refusal puts the group into back-off', async () => {
    const soldOut = failure('stock-out', 'sold_out', 'none left');
    const { runner, context, cloud } = build({
      pools: { a: pool(1, { minSize: 3 }), b: pool(0, { minSize: 1 }) },
      refusals: { b: { failure: soldOut } },
    });
    const outcome = await runner.enforceMinimumSizes(context, new AbortController().signal);
    expect(cloud.calls).toEqual(['increase a 2', 'increase b 1']);
    expect(outcome.result).toBe('ScaleUpError');
    expect(outcome.memory.requests.a?.increase).toBe(2);
    expect(outcome.memory.backOffs.b?.failure).toEqual(soldOut);
  });

  it('need nothing when all groups have theirs', async () => {
    const { runner, context } = build({ pools: { a: pool(1, { minSize: 1 }) } });
    const outcome = await runner.enforceMinimumSizes(context, new AbortController().signal);
    expect(outcome).toMatchObject({ result: 'ScaleUpNotNeeded', error: null, increases: [] });
  });
});
