import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent } from 'undici';
import { SystemClock } from '../../../src/adapters/system/system-clock.js';
import { KubernetesClusterReader, KubernetesClusterWriter } from '../../../src/adapters/kubernetes/index.js';
import type { KubernetesReaderOptions } from '../../../src/adapters/kubernetes/index.js';
import { LoopbackServer } from '../../../src/sandbox/http/loopback-server.js';
import { Sandbox } from '../../contract/kubernetes/sandbox.js';
import { podJson } from '../../unit/kubernetes-adapter/api-json.js';
import { ScriptedApi, ended, line, listOf, open } from './scripted-api.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function namesOf(reader: KubernetesClusterReader): string[] {
  return reader
    .state()
    .pods.map((pod) => pod.name)
    .sort();
}

async function readerOn(sandbox: Sandbox, options: KubernetesReaderOptions = {}) {
  const { random, incidents, logger } = sandbox.process();
  const reader = new KubernetesClusterReader(await sandbox.connect(), random, incidents, logger, options);
  const start = (): Promise<void> => sandbox.clock.complete(reader.start(new AbortController().signal));
  return { reader, start, incidents, logger };
}

function version(pod: any, resourceVersion: string): any {
  return { ...pod, metadata: { ...pod.metadata, resourceVersion } };
}

describe('faults that users of Kubernetes clients suffered from', () => {
  test.each([
    ['the silence limit of the case', { silenceMs: 60 * SECOND }],
    ['the default', {}],
  ])(
    'U009 a watch that goes silent is opened again from its last version, with %s',
    async (_what, options) => {
      const sandbox = new Sandbox();
      const { clock, cluster } = sandbox;
      const { reader, start } = await readerOn(sandbox, options);
      await start();
      for (const name of ['p1', 'p2', 'p3']) sandbox.createPod(name);
      await clock.advance(10 * SECOND);
      const lastVersion = cluster.pod('p3')?.metadata.resourceVersion ?? '';
      cluster.faults.silenceWatches();
      await clock.advance(20 * SECOND);
      sandbox.createPod('p9');
      await clock.advance(29 * SECOND);
      const heardMs = reader.lastHeardMs().get('pods') ?? 0;
      expect(clock.now() - heardMs).toBeGreaterThanOrEqual(49 * SECOND);
      await clock.advance(61 * SECOND);
      expect(namesOf(reader)).toEqual(['p1', 'p2', 'p3', 'p9']);
      expect(sandbox.requests('GET', '/api/v1/pods?watch').at(-1)).toContain(
        `resourceVersion=${lastVersion}`,
      );
      expect(sandbox.requests('GET', '/api/v1/pods?limit')).toHaveLength(1);
      await clock.complete(reader.stop());
    },
  );

  test('U034 410 is answered with a fresh list, and the next watch starts at its version', async () => {
    const [p1, p2, p3] = ['p1', 'p2', 'p3'].map((name) => podJson(name));
    const lists = [listOf([p1, p2], '100'), listOf([p1, p3], '900')];
    const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    const watches = [ended([line('ERROR', expired)])];
    const api = new ScriptedApi({
      list: () => lists.shift() ?? listOf([], '0'),
      watch: (request) => watches.shift() ?? open([], request),
    });
    const sandbox = new Sandbox();
    sandbox.mount(api);
    const { reader, start } = await readerOn(sandbox);
    await start();
    const before = reader.state().pods;
    await sandbox.clock.advance(5 * SECOND);
    expect(namesOf(reader)).toEqual(['p1', 'p3']);
    expect(reader.state().pods[0]).toBe(before[0]);
    expect(api.asked).toEqual(['list', 'watch 100', 'list', 'watch 900']);
    await sandbox.clock.complete(reader.stop());
  });

  test('a server that answers every watch with 410 is not flooded with lists', async () => {
    const sandbox = new Sandbox();
    const gone = { status: 410, headers: {}, body: JSON.stringify({ kind: 'Status', reason: 'Expired' }) };
    const api = new ScriptedApi({ list: () => listOf([], '1'), watch: () => gone });
    sandbox.mount(api);
    const { reader, start } = await readerOn(sandbox);
    await start();
    await sandbox.clock.advance(10 * MINUTE);
    expect(api.asked.filter((asked) => asked === 'list').length).toBeLessThan(45);
    await sandbox.clock.complete(reader.stop());
  });

  test('pages that expire in the middle are begun anew', async () => {
    const sandbox = new Sandbox();
    const page = JSON.parse(listOf([podJson('p1')], '5').body as string);
    page.metadata.continue = 'next';
    const gone = { status: 410, headers: {}, body: JSON.stringify({ kind: 'Status', reason: 'Expired' }) };
    const answers = [{ ...listOf([], ''), body: JSON.stringify(page) }, gone, listOf([podJson('p2')], '7')];
    const api = new ScriptedApi({
      list: () => answers.shift() ?? gone,
      watch: (request) => open([], request),
    });
    sandbox.mount(api);
    const { reader, start } = await readerOn(sandbox);
    await start();
    expect(namesOf(reader)).toEqual(['p2']);
    expect(api.asked.slice(0, 3)).toEqual(['list', 'list', 'list']);
    await sandbox.clock.complete(reader.stop());
  });

  test('events for the unknown, repeated and of objects that came back do no harm', async () => {
    const sandbox = new Sandbox();
    const [p1, p2, p3] = ['p1', 'p2', 'p3'].map((name) => podJson(name));
    const again = { ...p1, metadata: { ...p1.metadata, uid: 'uid-p1-again', resourceVersion: '14' } };
    const api = new ScriptedApi({
      list: () => listOf([p1], '10'),
      watch: (request) =>
        open(
          [
            line('MODIFIED', version(p2, '11')),
            line('DELETED', version(p3, '12')),
            line('DELETED', version(p1, '13')),
            line('ADDED', again),
            line('MODIFIED', again),
            'not json at all? {"type":"ADDED"\n',
          ],
          request,
        ),
    });
    sandbox.mount(api);
    const { reader, start } = await readerOn(sandbox);
    await start();
    await sandbox.clock.advance(100);
    expect(reader.state().pods.map((pod) => pod.uid)).toEqual(['uid-p2', 'uid-p1-again']);
    // The line that is no JSON ended that watch; the next resumes behind the last event.
    await sandbox.clock.advance(2 * SECOND);
    expect(api.asked).toContain('watch 14');
    await sandbox.clock.complete(reader.stop());
  });

  test('U037 a large list is read in pages, and other work runs in between', async () => {
    const sandbox = new Sandbox();
    const filler = 'x'.repeat(7_000);
    for (let index = 0; index < 2_000; index++) {
      const metadata = { name: `p${index}`, annotations: { filler } };
      sandbox.cluster.create({ kind: 'Pod', metadata, spec: { containers: [{ name: 'c', image: 'i' }] } });
    }
    const { clock } = sandbox;
    let yields = 0;
    const counting = {
      now: () => clock.now(),
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
      yield: () => {
        yields++;
        return clock.yield();
      },
    };
    const { random, incidents, logger } = sandbox.process();
    const connection = await sandbox.connect({ clock: counting });
    const reader = new KubernetesClusterReader(connection, random, incidents, logger);
    await clock.complete(reader.start(new AbortController().signal));
    expect(reader.state().pods).toHaveLength(2_000);
    expect(sandbox.requests('GET', '/api/v1/pods?limit=500')).toHaveLength(4);
    expect(yields).toBeGreaterThanOrEqual(4);
    await clock.complete(reader.stop());
  });

  test('U038 a token that is replaced costs no loop', async () => {
    const root = mkdtempSync(join(tmpdir(), 'token-'));
    const folder = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
    mkdirSync(dirname(join(folder, 'token')), { recursive: true });
    writeFileSync(join(folder, 'token'), 'T1');
    writeFileSync(join(folder, 'ca.crt'), '');
    const sandbox = new Sandbox();
    const { clock, cluster } = sandbox;
    cluster.faults.acceptedTokens = new Set(['T1']);
    sandbox.createNode('node-1');
    const url = 'http://kubernetes.sandbox?inClusterConfig=false&useServiceAccount=true';
    const connection = await sandbox.connect({ address: { kind: 'url', url }, rootPath: root });
    const { random, incidents, logger } = sandbox.process();
    const reader = new KubernetesClusterReader(connection, random, incidents, logger);
    const writer = new KubernetesClusterWriter(connection, random, incidents, logger);
    await clock.complete(reader.start(new AbortController().signal));
    for (let second = 0; second < 70 * 60; second += 10) {
      if (second === 60 * 60) {
        writeFileSync(join(folder, 'token'), 'T2');
        cluster.faults.acceptedTokens = new Set(['T1', 'T2']);
      }
      if (second === 61 * 60) cluster.faults.acceptedTokens = new Set(['T2']);
      expect(reader.state().nodes).toHaveLength(1);
      expect(await clock.complete(writer.readNode('node-1'))).not.toBeNull();
      await clock.advance(10 * SECOND);
    }
    expect(cluster.requests.list((request) => request.status === 401).length).toBeLessThanOrEqual(1);
    await clock.complete(reader.stop());
    rmSync(root, { recursive: true });
  });

  test('U038 a 401 makes the token be read at once', async () => {
    const root = mkdtempSync(join(tmpdir(), 'token-'));
    const folder = join(root, 'var/run/secrets/kubernetes.io/serviceaccount');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'token'), 'T1');
    const sandbox = new Sandbox();
    const { clock, cluster } = sandbox;
    cluster.faults.acceptedTokens = new Set(['T1']);
    sandbox.createNode('node-1');
    const url = 'http://kubernetes.sandbox?inClusterConfig=false&useServiceAccount=true';
    const connection = await sandbox.connect({ address: { kind: 'url', url }, rootPath: root });
    const { random, incidents, logger } = sandbox.process();
    const writer = new KubernetesClusterWriter(connection, random, incidents, logger);
    await clock.complete(writer.readNode('node-1'));
    await clock.advance(5 * SECOND);
    writeFileSync(join(folder, 'token'), 'T2');
    cluster.faults.acceptedTokens = new Set(['T2']);
    expect(await clock.complete(writer.readNode('node-1'))).not.toBeNull();
    expect(cluster.requests.list((request) => request.status === 401)).toHaveLength(1);
    rmSync(root, { recursive: true });
  });

  test('U049 an outage is met with few attempts, and its end with one list and one watch', async () => {
    const sandbox = new Sandbox();
    const { clock, cluster } = sandbox;
    sandbox.createPod('p1');
    const { reader, start, logger } = await readerOn(sandbox);
    await start();
    await clock.advance(SECOND);
    const before = reader.state().pods;
    let told = 0;
    reader.onUnschedulablePod(() => told++);
    cluster.requests.clear();
    cluster.faults.down = true;
    cluster.faults.cutWatches();
    await clock.advance(MINUTE);
    expect(sandbox.requests('GET', '/api/v1/pods').length).toBeLessThanOrEqual(12);
    cluster.requests.clear();
    cluster.faults.down = false;
    cluster.faults.expiredWatches = reader.lastHeardMs().size;
    await clock.advance(4 * MINUTE);
    expect(sandbox.requests('GET', '/api/v1/pods?limit')).toHaveLength(1);
    // The one that is answered with 410, and the one after the list; then silence is checked each 90 s at most.
    expect(sandbox.requests('GET', '/api/v1/pods?watch').length).toBeLessThanOrEqual(5);
    expect(reader.state().pods).toEqual(before);
    expect(reader.state().pods[0]).toBe(before[0]);
    expect(told).toBe(0);
    const log = logger.events().filter((event) => event.startsWith('incident'));
    expect(log.length).toBeLessThan(50);
    await clock.complete(reader.stop());
  });

  test('U090 reconnects leave no connection behind', async () => {
    const bookmark = line('BOOKMARK', { metadata: { resourceVersion: '2' } });
    let left = 200;
    let done: () => void = () => undefined;
    const allClosed = new Promise<void>((resolve) => (done = resolve));
    const api = new ScriptedApi({
      list: () => listOf([podJson('p1')], '1'),
      watch: (request) => {
        if (left-- > 0) return ended([bookmark]);
        done();
        return open([], request);
      },
    });
    const server = await LoopbackServer.listen(api);
    const agent = new Agent({ connections: 32 });
    const sandbox = new Sandbox();
    const address = { kind: 'url', url: `${server.origin}?inClusterConfig=false` } as const;
    const connection = await sandbox.connect({
      address,
      dispatcher: agent,
      clock: new SystemClock(),
      qps: 0,
    });
    const { random, incidents, logger } = sandbox.process();
    const reader = new KubernetesClusterReader(connection, random, incidents, logger);
    await reader.start(new AbortController().signal);
    await allClosed;
    const [stats] = Object.values(agent.stats);
    // One for each watch, and at most two besides.
    expect(stats?.connected).toBeLessThanOrEqual(reader.lastHeardMs().size + 2);
    expect(api.asked.filter((asked) => asked.startsWith('watch'))).toHaveLength(201);
    await reader.stop();
    await agent.destroy();
    await server.close();
  });

  test('what a reader opens, its stop closes', async () => {
    const sandbox = new Sandbox();
    const { reader, start } = await readerOn(sandbox);
    await start();
    await sandbox.clock.advance(SECOND);
    expect(sandbox.dispatcher.openExchanges).toBe(reader.lastHeardMs().size);
    await sandbox.clock.complete(reader.stop());
    await sandbox.clock.settle();
    expect(sandbox.dispatcher.openExchanges).toBe(0);
    expect(sandbox.clock.pendingTasks).toBe(0);
  });

  test('a role that is missing is told at once, not waited for', async () => {
    // interface 8.1, consequence 2
    const sandbox = new Sandbox();
    sandbox.cluster.faults.forbids = ({ resource }) => resource.startsWith('poddisruptionbudgets');
    const { start } = await readerOn(sandbox);
    await expect(start()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('poddisruptionbudgets'),
    });
  });
});
