import { InProcessDispatcher } from '../../src/sandbox/http/index.js';
import { KubernetesCluster } from '../../src/sandbox/kubernetes/index.js';
import { MachineFleet, SeededRandom, VirtualClock } from '../../src/sandbox/world/index.js';
import { deployment } from '../integration/program/deployment.js';
import { KUBERNETES, Program } from '../integration/program/program.js';
import { TOKEN, Tinycloud } from './fake/tinycloud.js';
import { tinycloudModule } from './tinycloud-module.js';

// Two whole programs in one file: on a busy machine more than the usual 5 s.
jest.setTimeout(60_000);

const MINUTE = 60_000;
const TINYCLOUD = 'http://tinycloud.test';
const FLAGS = ['--cloud-provider=tinycloud', '--nodes=0:4:small:few', '--nodes=0:4:large:many'];
const ENVIRONMENT = { TINYCLOUD_TOKEN: TOKEN, TINYCLOUD_URL: TINYCLOUD };

/** A cluster whose nodes are Tinycloud's machines, and the whole program with the example's provider in it. */
function createWorld() {
  const clock = new VirtualClock();
  const fleet = new MachineFleet();
  const cloud = new Tinycloud(clock, fleet);
  const cluster = new KubernetesCluster({
    clock,
    fleet,
    random: new SeededRandom('story'),
    nodeProfile: ({ labels }) => ({ labels: { 'tinycloud.example/pool': labels['pool'] ?? '' } }),
  });
  cluster.start();
  const dispatcher = new InProcessDispatcher({ clock })
    .mount(KUBERNETES, cluster.front)
    .mount(TINYCLOUD, cloud.front);
  const startProgram = (environment = ENVIRONMENT, flags = FLAGS): Promise<Program> =>
    Program.start({ clock, dispatcher }, flags, environment, 'evenkeel-0', {
      providers: { tinycloud: tinycloudModule },
    });
  const running = (app: string): number =>
    cluster
      .pods('default')
      .filter(({ metadata, status }) => metadata.labels?.['app'] === app && status?.phase === 'Running')
      .length;
  const machinesOf = (pool: string): number =>
    [...cloud.machines.values()].filter((machine) => machine.pool === pool).length;
  return { clock, cloud, cluster, startProgram, running, machinesOf };
}

describe('the whole program on Tinycloud', () => {
  it('turns to the other pool when one is sold out in part, and gives everything back when the pods are gone', async () => {
    const { clock, cloud, cluster, startProgram, running, machinesOf } = createWorld();
    cloud.stock.set('small', 1);
    const program = await startProgram();
    await clock.advance(MINUTE);

    cluster.apply(deployment('web', 4, '1500m'));
    await clock.runUntil(() => running('web') === 4, 10 * MINUTE);
    expect([machinesOf('few'), machinesOf('many')]).toEqual([1, 1]);
    expect(program.linesOf('scale-up-refused').join()).toContain('small is sold out (sold_out)');

    cluster.scaleDeployment('web', 0);
    await clock.runUntil(() => cloud.machines.size === 0, 40 * MINUTE);
    await clock.runUntil(() => cluster.nodes().length === 0, 5 * MINUTE);
    expect(await program.stop()).toBe('stopped');
  });

  it('does not buy again what a process bought that died before the answer', async () => {
    const { clock, cloud, cluster, startProgram, running, machinesOf } = createWorld();
    const first = await startProgram();
    await clock.advance(MINUTE);
    cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'cut-after' } });
    cluster.apply(deployment('web', 1, '1500m'));
    await clock.runUntil(() => machinesOf('few') === 1, 5 * MINUTE);
    await first.stop();

    const second = await startProgram();
    await clock.runUntil(() => running('web') === 1, 5 * MINUTE);
    expect([machinesOf('few'), machinesOf('many')]).toEqual([1, 0]);
    await second.stop();
  });

  it('tells all that is wrong with the configuration before any request', async () => {
    const { cloud, startProgram } = createWorld();
    const start = startProgram({ TINYCLOUD_TOKEN: '', TINYCLOUD_URL: 'nowhere' }, [
      '--cloud-provider=tinycloud',
      '--nodes=4:0:small:few',
      '--nodes=web',
      '--nodes=0:4:small:twice',
      '--nodes=0:4:large:twice',
    ]);
    await expect(start).rejects.toMatchObject({
      faults: ['TINYCLOUD_TOKEN', 'TINYCLOUD_URL', '--nodes[0]', '--nodes[1]', '--nodes'].map((place) =>
        expect.objectContaining({ place }),
      ),
    });
    expect(cloud.calls).toEqual({ reads: 0, writes: 0 });
  });
});
