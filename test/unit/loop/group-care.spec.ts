import { GroupCare } from '../../../src/application/loop/group-care.js';
import type { LoopPolicies } from '../../../src/application/loop/index.js';
import { GroupEvents, GroupRepairer, HappeningReporter } from '../../../src/application/scale-up/index.js';
import { emptyClusterStateMemory, registerScaleUp } from '../../../src/domain/readiness/index.js';
import { MINUTE, T0, buildInstance, buildNode } from '../../support/builders.js';
import { RecordedIncidents, RecordedLog } from '../../support/recorders.js';
import { FakeClock, FakeCloud, FakeMetrics, FakeWriter, STATUS } from '../application-scale-up/fake-ports.js';
import { STRICT, observe } from '../readiness/cluster-world.js';
import type { GroupSpec } from '../readiness/cluster-world.js';

function careFor(groups: Record<string, GroupSpec>, memory = emptyClusterStateMemory()) {
  const observation = observe(groups);
  const cloud = new FakeCloud(observation.groups);
  const events = new GroupEvents(new FakeWriter(), { parallel: false, statusSubject: () => STATUS });
  const metrics = new FakeMetrics();
  const log = new RecordedLog();
  const care = new GroupCare(
    cloud,
    new HappeningReporter(events, metrics, log),
    new GroupRepairer(cloud, events, new FakeClock(), metrics, log),
    events,
    new RecordedIncidents(),
    { clusterState: STRICT } as LoopPolicies,
  );
  const done = care.care(observation, memory, new AbortController().signal);
  return done.then((result) => ({ result, observation, cloud }));
}

describe('the care for groups', () => {
  it('goes on with what was observed where there is nothing to repair', async () => {
    const { result, observation } = await careFor({ a: { nodes: [buildNode('a-1')] } });
    expect(result.verdict).toBe('go-on');
    expect(result.observation).toBe(observation);
    expect(result.state.groups.get('a')?.counts.ready).toEqual(['a-1']);
  });

  it('reads the groups anew after a repair', async () => {
    const failure = { kind: 'stock-out', code: 'sold_out', message: 'none left' } as const;
    const failed = buildInstance('a-2', { state: 'creating', createdMs: T0, failure });
    const { result, cloud } = await careFor({ a: { nodes: [buildNode('a-1')], extra: [failed] } });
    expect(cloud.calls).toEqual(['delete a fake://a-2 create-error']);
    expect(result.observation.groups).toBe(cloud.nodeGroups());
  });

  it('reads the groups anew after a target was lowered because machines never came', async () => {
    const change = { groupId: 'a', delta: 1, atMs: T0 - 16 * MINUTE, provisionTimeMs: 15 * MINUTE };
    const memory = { ...emptyClusterStateMemory(), requests: registerScaleUp({}, change) };
    const { result, cloud } = await careFor({ a: { targetSize: 1 } }, memory);
    expect(cloud.calls).toEqual(['decrease a 1']);
    expect(result.observation.groups[0]?.targetSize).toBe(0);
    expect(result.state.groups.get('a')?.group.targetSize).toBe(0);
  });
});
