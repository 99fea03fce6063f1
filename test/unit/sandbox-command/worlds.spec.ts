import { request } from 'undici';
import { createHetznerWorld } from '../../../src/infrastructure/sandbox-command/hetzner-world.js';
import { instructions } from '../../../src/infrastructure/sandbox-command/instructions.js';
import { readSandboxArguments } from '../../../src/infrastructure/sandbox-command/read-arguments.js';
import type { SandboxArguments } from '../../../src/infrastructure/sandbox-command/read-arguments.js';
import type { ServedWorld } from '../../../src/infrastructure/sandbox-command/served-world.js';
import { createUthoWorld } from '../../../src/infrastructure/sandbox-command/utho-world.js';
import { UthoSandbox } from '../../../src/sandbox/utho-sandbox.js';

function asked(...argv: string[]): SandboxArguments {
  const read = readSandboxArguments(argv);
  if (read.kind !== 'arguments') throw new Error('not understood');
  return read.value;
}

function uthoOf({ sandbox }: ServedWorld): UthoSandbox {
  if (!(sandbox instanceof UthoSandbox)) throw new Error('another cloud');
  return sandbox;
}

/** What is printed for the world, with made-up addresses. */
function printed(world: ServedWorld): string {
  return instructions(world, {
    served: {
      kubernetesUrl: 'http://127.0.0.1:1',
      cloudUrl: 'http://127.0.0.1:2/v9',
      close: () => Promise.resolve(),
    },
    program: 'evenkeel',
    kubeconfig: '/tmp/k',
    autoscalerKubeconfig: '/tmp/k-autoscaler',
    cloudConfig: '/tmp/k-cloud-config',
  });
}

describe('the world on Hetzner Cloud', () => {
  it('is explained with the environment and the flags of its manifest', async () => {
    const world = createHetznerWorld(asked());
    const text = printed(world);
    expect(text).toContain('    Hetzner API      http://127.0.0.1:2/v9\n    kubeconfig       /tmp/k\n\n');
    expect(text).toContain('    export HCLOUD_ENDPOINT=http://127.0.0.1:2/v9\n');
    expect(text).toContain(
      '    evenkeel run --cloud-provider=hetzner --stderrthreshold=info --nodes=1:10:CPX11:FSN1:pool1 --kubeconfig=/tmp/k-autoscaler\n',
    );
    expect(text).toContain(
      `    curl -d '{"type":"cpx11","location":"fsn1","count":0}' http://127.0.0.1:2/_fake/stock\n`,
    );
    expect(text).not.toContain('cloud-config  ');
    await world.stop();
  });
});

describe('the world on Utho', () => {
  it('is explained with the file and the flags of its manifest, for both programs', async () => {
    const world = createUthoWorld(asked('--cloud=utho'));
    const text = printed(world);
    expect(text).toContain('    Utho API         http://127.0.0.1:2/v9\n');
    expect(text).toContain('    cloud-config     /tmp/k-cloud-config\n');
    const flags =
      "--v=4 --cloud-provider=utho --cloud-config=/tmp/k-cloud-config '--node-group-auto-discovery=utho:regexp=.*'";
    expect(text).toContain(`    evenkeel run ${flags} --kubeconfig=/tmp/k-autoscaler\n`);
    expect(text).toContain(`    ./cluster-autoscaler ${flags} --kubeconfig=/tmp/k-autoscaler\n`);
    await world.stop();
  });

  it('has nodes at once for what is there, and takes its time with others, in times of the wall', async () => {
    jest.useFakeTimers({ now: Date.UTC(2026, 5, 1) });
    try {
      const world = createUthoWorld(asked('--cloud=utho', '--speed=10'));
      const { cloud, cluster } = uthoOf(world);
      world.start();
      await jest.advanceTimersByTimeAsync(1_000);
      expect(cluster.nodes()).toHaveLength(3);
      cloud.seedPool({ id: 'pool-new', workers: 0, count: 1 });
      // 5 s to its record, 60 s to a worker that runs, 20 s to its node: a tenth of that.
      await jest.advanceTimersByTimeAsync(8_000);
      expect(cluster.nodes()).toHaveLength(3);
      await jest.advanceTimersByTimeAsync(1_000);
      expect(cluster.nodes()).toHaveLength(4);
      expect(cluster.nodes().map(({ metadata }) => metadata.creationTimestamp)).toContain(
        '2026-06-01T00:00:09Z',
      );
      await world.stop();
    } finally {
      jest.useRealTimers();
    }
  });

  it('has a pool that is scaled, one that is not, and a control plane', async () => {
    const world = createUthoWorld(asked('--cloud=utho', '--workers=3'));
    const { cloud } = uthoOf(world);
    expect([...cloud.cluster().pools.values()]).toMatchObject([
      { id: 'pool-sandbox', autoScale: true, minSize: 1, maxSize: 10, count: 3, workers: { length: 3 } },
      { id: 'static-pool', autoScale: false, count: 1 },
    ]);
    expect(cloud.cluster().master.hostname).toBe('sandbox-master');
    await world.stop();
  });

  it('is served where its cloud-config says', async () => {
    const world = createUthoWorld(asked('--cloud=utho', '--workers=0'));
    const served = await world.sandbox.serve();
    try {
      const file = world.guide.cloudConfig(served.cloudUrl) as Record<string, string>;
      expect(Object.keys(file)).toEqual(['cluster_id', 'token', 'api_url']);
      expect(file['api_url']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/$/);
      const answer = await request(`${file['api_url']}kubernetes/${file['cluster_id']}`, {
        headers: { authorization: `Bearer ${file['token']}` },
      });
      const { info } = (await answer.body.json()) as any;
      expect(info.cluster).toMatchObject({ id: file['cluster_id'], label: 'sandbox' });
      for (const [path, body] of world.guide.trouble) {
        const url = new URL(path, served.cloudUrl);
        const trouble = await request(url, { method: 'POST', body: JSON.stringify(body) });
        expect([path, trouble.statusCode]).toEqual([path, 200]);
        await trouble.body.dump();
      }
    } finally {
      await served.close();
      await world.stop();
    }
  });
});
