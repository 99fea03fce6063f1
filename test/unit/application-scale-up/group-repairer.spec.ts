import { GroupEvents, GroupRepairer, HappeningReporter } from '../../../src/application/scale-up/index.js';
import type { CloudFailure } from '../../../src/domain/node-group/node-group.js';
import { emptyClusterStateMemory } from '../../../src/domain/readiness/index.js';
import type { Happening, MachineRemoval } from '../../../src/domain/readiness/index.js';
import { VirtualClock } from '../../../src/sandbox/world/index.js';
import { MINUTE, T0, buildInstance } from '../../support/builders.js';
import { FakeCloud, FakeMetrics, FakeWriter, SILENT, STATUS } from './fake-ports.js';

const BROKEN: CloudFailure = { kind: 'transient', code: 'broken', message: 'it broke' };
const removal = (groupId: string, ...names: string[]): MachineRemoval => ({
  groupId,
  machines: names.map((name) => buildInstance(name)),
  force: false,
});
const signal = new AbortController().signal;
const memory = emptyClusterStateMemory();

function build(subject: typeof STATUS | null = STATUS, cloud = new FakeCloud([])) {
  const clock = new VirtualClock(T0);
  const writer = new FakeWriter();
  const metrics = new FakeMetrics();
  const events = new GroupEvents(writer, { parallel: false, statusSubject: () => subject });
  const repairer = new GroupRepairer(cloud, events, clock, metrics, SILENT);
  const reporter = new HappeningReporter(events, metrics, SILENT);
  const texts = () => writer.events.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  return { clock, cloud, repairer, reporter, metrics, texts };
}

describe('machines that never joined', () => {
  // scale-up 14/75
  it('are deleted, told and counted', async () => {
    const { cloud, repairer, metrics, texts } = build();
    const forced = { ...removal('h', 'c'), force: true };
    const result = await repairer.removeUnregistered([removal('g', 'a', 'b'), forced], memory, signal);
    expect(cloud.calls).toEqual([
      'delete g fake://a,fake://b unregistered',
      'delete h fake://c unregistered force',
    ]);
    expect(texts()).toEqual(
      ['a', 'b', 'c'].map((name) => `Normal DeleteUnregistered: Removed unregistered node fake://${name}`),
    );
    expect(metrics.counters).toEqual({ old_unregistered_nodes_removed_count: 3 });
    expect(result).toEqual({ memory, repaired: 3 });
  });

  it('of one group in trouble do not keep those of others', async () => {
    const { cloud, repairer, texts } = build();
    cloud.problems.set('bad', BROKEN);
    cloud.machineProblems.set('fake://stuck', BROKEN);
    const removals = [removal('bad', 'a'), removal('half', 'stuck', 'gone'), removal('good', 'b')];
    const result = await repairer.removeUnregistered(removals, memory, signal);
    expect(texts()).toEqual([
      'Warning DeleteUnregisteredFailed: Failed to remove node fake://a: it broke',
      'Normal DeleteUnregistered: Removed unregistered node fake://gone',
      'Warning DeleteUnregisteredFailed: Failed to remove node fake://stuck: it broke',
      'Normal DeleteUnregistered: Removed unregistered node fake://b',
    ]);
    expect(result.repaired).toBe(2);
    expect(Object.keys(result.memory.repairRetries)).toEqual([
      'release-unregistered bad',
      'release-unregistered half',
    ]);
  });
});

describe('failed machines', () => {
  // scale-up 14/78
  it('are deleted, and a refusal is remembered for later', async () => {
    const { cloud, repairer } = build();
    cloud.problems.set('bad', BROKEN);
    const result = await repairer.deleteFailed([removal('bad', 'a'), removal('g', 'b')], memory, signal);
    expect(cloud.calls).toEqual(['delete bad fake://a create-error', 'delete g fake://b create-error']);
    expect(result.repaired).toBe(1);
    expect(result.memory.repairRetries).toEqual({
      'release-failed bad': { failures: 1, notBeforeMs: T0 + 10_000 },
    });
  });
});

describe('a cloud that takes its time to delete', () => {
  /** Deletions in group `slow` end when told to. */
  class SlowCloud extends FakeCloud {
    end: () => void = () => undefined;

    override async deleteInstances(...call: Parameters<FakeCloud['deleteInstances']>) {
      if (call[0] === 'slow') await new Promise<void>((resolve) => (this.end = resolve));
      return super.deleteInstances(...call);
    }
  }

  it('holds up neither the loop nor other groups, and is told of when it has ended', async () => {
    const cloud = new SlowCloud([]);
    const { clock, repairer } = build(STATUS, cloud);
    cloud.problems.set('slow', BROKEN);
    const removals = [removal('slow', 'a'), removal('g', 'b')];
    const first = await clock.complete(repairer.deleteFailed(removals, memory, signal));
    expect(clock.now() - T0).toBe(5_000);
    expect(cloud.calls).toEqual(['delete g fake://b create-error']);
    expect(first).toEqual({ memory, repaired: 1 });

    const second = await clock.complete(repairer.deleteFailed([removal('slow', 'a')], memory, signal));
    expect(clock.now() - T0).toBe(5_000);
    expect(second).toEqual({ memory, repaired: 0 });

    cloud.end();
    await clock.settle();
    const third = await clock.complete(repairer.deleteFailed([], memory, signal));
    expect(Object.keys(third.memory.repairRetries)).toEqual(['release-failed slow']);
    expect(cloud.calls).toEqual(['delete g fake://b create-error', 'delete slow fake://a create-error']);
  });
});

describe('targets', () => {
  // scale-up 14/59
  it('whose revert fails are told, and nothing else breaks', async () => {
    const { cloud, repairer, texts } = build();
    cloud.problems.set('bad', BROKEN);
    await repairer.revertTimedOut([
      { groupId: 'bad', count: 4 },
      { groupId: 'g', count: 1 },
    ]);
    expect(cloud.calls).toEqual(['decrease bad 4', 'decrease g 1']);
    expect(texts()).toEqual([
      'Warning FailedToRevertScaleUp: Failed to decrease target size for group bad after scale-up timeout: it broke',
    ]);
  });

  // scale-up 14/76
  it('that nothing explains are lowered, each group for itself', async () => {
    const { cloud, repairer } = build();
    cloud.problems.set('bad', BROKEN);
    const cuts = [
      { groupId: 'bad', count: 1 },
      { groupId: 'g', count: 2 },
    ];
    const result = await repairer.fixSizes(cuts, memory);
    expect(cloud.calls).toEqual(['decrease bad 1', 'decrease g 2']);
    expect(result.repaired).toBe(2);
    expect(Object.keys(result.memory.repairRetries)).toEqual(['lower-target bad']);
  });
});

describe('what the update noticed', () => {
  const happenings: readonly Happening[] = [
    {
      kind: 'scale-up-timed-out',
      groupId: 'g',
      increase: 4,
      waitedMs: 15 * MINUTE,
      failure: { ...BROKEN, code: 'timeout' },
    },
    { kind: 'machines-failed', groupId: 'h', count: 2, failure: BROKEN, messages: ['m'] },
    { kind: 'scale-up-completed', groupId: 'i', tookMs: 1 },
  ];

  // scale-up 14/59, 14/69
  it('is told and counted', () => {
    const { reporter, metrics, texts } = build();
    reporter.report(happenings);
    expect(texts()).toEqual([
      'Warning ScaleUpTimedOut: Nodes added to group g failed to register within 15m0s',
      'Warning ScaleUpFailed: Failed adding 2 nodes to group h due to Other.broken; source errors: m',
    ]);
    expect(metrics.counters).toEqual({
      'failed_scale_ups_total reason=timeout': 1,
      'failed_node_creations_total reason=timeout': 4,
      'failed_scale_ups_total reason=broken': 1,
      'failed_node_creations_total reason=broken': 2,
    });
  });

  it('is counted without a status to tell it on', () => {
    const { reporter, metrics, texts } = build(null);
    reporter.report(happenings);
    expect(texts()).toEqual([]);
    expect(Object.keys(metrics.counters)).toHaveLength(4);
  });
});
