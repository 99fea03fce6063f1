import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { deployment } from './deployment.js';
import { Program, createWorld, runningPods, seedWorker, takeAwayApiServer } from './program.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const POOL = ['--nodes=0:4:cx33:fsn1:pool'];

/** Incident lines without time, process id and detail: `began: …`, `over: …`. */
function incidents(program: Program): readonly string[] {
  return program.lines
    .filter((line) => line.includes(' incident-'))
    .map((line) => /incident-(began|over)\] .*incident="([^"]+)"/u.exec(line)?.slice(1, 3).join(' ') ?? line);
}

describe('an outage', () => {
  it('of the API server is told once when it begins and once when it is over, and the loop goes on by itself', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, [...POOL, '--leader-elect=false']);
    await clock.advance(MINUTE);
    const bringBack = takeAwayApiServer(world);
    await clock.advance(2 * MINUTE);
    bringBack();
    await clock.advance(2 * MINUTE);
    expect(incidents(program)).toEqual([
      'began kubernetes-api',
      'began status-config-map',
      'over kubernetes-api',
      'over status-config-map',
    ]);

    sandbox.cluster.apply(deployment('web', 2, '750m'));
    await clock.runUntil(() => runningPods(world, 'web') === 2, 5 * MINUTE);
    await program.stop();
  });

  it('of the Hetzner API for a minute is told once when it begins and once when it is over', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, POOL);
    await clock.advance(MINUTE);
    const rule = sandbox.cloud.faults.add({
      match: { path: /^\/v1\// },
      action: { kind: 'answer', status: 500, body: '{"error":{"code":"server_error","message":"oops"}}' },
    });
    await clock.advance(MINUTE);
    // Pods that come in the outage wait for its end, and are served then.
    sandbox.cluster.apply(deployment('web', 2, '750m'));
    await clock.advance(30 * SECOND);
    sandbox.cloud.faults.remove(rule);
    await clock.runUntil(() => runningPods(world, 'web') === 2, 20 * MINUTE);
    expect(incidents(program).filter((line) => line.endsWith('hetzner-api'))).toEqual([
      'began hetzner-api',
      'over hetzner-api',
    ]);
    expect(sandbox.cloud.servers()).toHaveLength(1);
    await program.stop();
  });

  it('of the Hetzner API for longer than its last list is worth stops decisions, and the loop recovers', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, POOL);
    await clock.advance(MINUTE);
    const rule = sandbox.cloud.faults.add({ match: { path: /^\/v1\// }, action: { kind: 'cut-before' } });
    await clock.advance(10 * MINUTE);
    expect(incidents(program)).toEqual(['began hetzner-api', 'began loop']);
    sandbox.cloud.faults.remove(rule);
    await clock.advance(MINUTE);
    expect(incidents(program)).toEqual(['began hetzner-api', 'began loop', 'over hetzner-api', 'over loop']);
    await program.stop();
  });

  it('of the API server that outlasts the lease ends the process, and a new one goes on', async () => {
    // interface 9/32
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, POOL);
    await clock.advance(MINUTE);
    const bringBack = takeAwayApiServer(world);
    await clock.advance(MINUTE);
    bringBack();
    expect(await program.end()).toBe('leadership-lost');
    expect(sandbox.cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', 'kube-system')).toBeDefined();

    const successor = await Program.start(world, POOL);
    sandbox.cluster.apply(deployment('web', 2, '750m'));
    await clock.runUntil(() => runningPods(world, 'web') === 2, 5 * MINUTE);
    await successor.stop();
  });

  it('of both does not keep the program from stopping in good order', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, POOL);
    await clock.advance(MINUTE);
    takeAwayApiServer(world);
    sandbox.cloud.faults.add({ match: { path: /^\/v1\// }, action: { kind: 'cut-before' } });
    await clock.advance(5 * SECOND);
    expect(await program.stop()).toBe('stopped');
  });
});

describe('a watch that says nothing any more', () => {
  it('does not cost an empty-looking node on which a pod runs by now', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    seedWorker(world, 'pool', 'cx33', 'fsn1');
    await clock.advance(2 * MINUTE);
    const program = await Program.start(world, [...POOL, '--scale-down-unneeded-time=1m']);
    await clock.advance(30 * SECOND);
    sandbox.cluster.faults.silenceWatches(kinds.PODS);
    sandbox.cluster.apply(deployment('web', 1, '750m'));
    await clock.runUntil(() => program.linesOf('node-deletion-failed').length > 0, 2 * MINUTE);
    expect(program.linesOf('node-deletion-failed')[0]).toContain('it is not empty any more');
    await clock.advance(10 * MINUTE);
    expect(sandbox.poolServers('pool')).toHaveLength(1);
    expect(runningPods(world, 'web')).toBe(1);
    await program.stop();
  });
});
