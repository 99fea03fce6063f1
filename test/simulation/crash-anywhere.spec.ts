import { HetznerSandbox } from '../../src/sandbox/hetzner-sandbox.js';
import { VirtualClock } from '../../src/sandbox/world/index.js';
import { InProcessDispatcher } from '../../src/sandbox/http/index.js';
import { deployment } from '../integration/program/deployment.js';
import { HETZNER, KUBERNETES, Program, runningPods } from '../integration/program/program.js';
import type { World } from '../integration/program/program.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** One pod for each node: the number of servers is known exactly. */
const PODS = 5;
const FLAGS = ['--nodes=0:9:cx33:fsn1:pool', '--leader-elect=false'];

/** A world in which requests take their time, and a process that can die in it. */
class CrashingWorld implements World {
  readonly clock = new VirtualClock();
  readonly sandbox = new HetznerSandbox({ clock: this.clock, seed: 7 });
  dispatcher = this.connect();

  constructor() {
    this.sandbox.start();
  }

  async start(): Promise<{ readonly program: Program; readonly die: () => Promise<void> }> {
    const dispatcher = (this.dispatcher = this.connect());
    const program = await Program.start(this, FLAGS);
    const die = async (): Promise<void> => {
      await dispatcher.destroy(new Error('the process died'));
      await program.stop();
    };
    return { program, die };
  }

  private connect(): InProcessDispatcher {
    const { clock, sandbox } = this;
    return new InProcessDispatcher({ clock, latencyMs: 100 })
      .mount(KUBERNETES, sandbox.cluster.front)
      .mount(HETZNER, sandbox.cloud.front);
  }
}

describe('a process that dies', () => {
  const moments = Array.from({ length: 10 }, (_, index) => 1_000 + index * 1_300);

  it.each(moments)('%d ms after pods have come has its successor buy no server twice', async (momentMs) => {
    const index = moments.indexOf(momentMs);
    const world = new CrashingWorld();
    const { clock, sandbox } = world;
    const first = await world.start();
    await clock.advance(30 * SECOND);
    sandbox.cluster.apply(deployment('web', PODS, '2500m'));
    if (index % 2 === 0) sandbox.cloud.loseNextReply('POST', '/servers', 2);
    await clock.advance(momentMs);
    await first.die();
    const { program } = await world.start();
    await clock.runUntil(() => runningPods(world, 'web') === PODS, 10 * MINUTE);
    await clock.advance(MINUTE);
    expect(sandbox.poolServers('pool')).toHaveLength(PODS);
    await program.stop();
    sandbox.stop();
  });
});
