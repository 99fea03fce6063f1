import { kinds, WatchCut } from '../../../src/sandbox/kubernetes/index.js';
import { call, podManifest, readyNode, send, stage, WatchReader } from './support.js';

const PODS = '/api/v1/namespaces/default/pods';
const WATCH = '/api/v1/pods?watch=true';

function names(body: any): string[] {
  return body.items.map((item: any) => item.metadata.name);
}

describe('list', () => {
  it('comes in order, without the type of its items', async () => {
    const { cluster } = stage();
    for (const name of ['b', 'c', 'a']) cluster.create(podManifest(name));
    const { body } = await call(cluster, 'GET', '/api/v1/pods');
    expect(body).toMatchObject({ kind: 'PodList', apiVersion: 'v1' });
    expect(names(body)).toEqual(['a', 'b', 'c']);
    expect(body.items[0].kind).toBeUndefined();
    expect(body.metadata.resourceVersion).toBe(cluster.registry.store.revision.toString());
  });

  it('shows one moment through all its pages', async () => {
    const { cluster } = stage();
    for (const name of ['a', 'b', 'c', 'd', 'e']) cluster.create(podManifest(name));
    const first = await call(cluster, 'GET', '/api/v1/pods?limit=2');
    expect(first.body.metadata.remainingItemCount).toBe(3);
    cluster.delete(kinds.PODS, 'c');
    cluster.create(podManifest('bb'));
    const token = first.body.metadata.continue;
    const second = await call(cluster, 'GET', `/api/v1/pods?limit=2&continue=${token}`);
    const third = await call(
      cluster,
      'GET',
      `/api/v1/pods?limit=2&continue=${second.body.metadata.continue}`,
    );
    expect([first, second, third].map(({ body }) => names(body))).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
    expect(third.body.metadata.continue).toBeUndefined();
    expect(third.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
  });

  it('answers 410 to a page of a moment that is forgotten', async () => {
    const { cluster } = stage();
    for (const name of ['a', 'b']) cluster.create(podManifest(name));
    const { body } = await call(cluster, 'GET', '/api/v1/pods?limit=1');
    cluster.faults.expireWatches();
    const answer = await call(cluster, 'GET', `/api/v1/pods?limit=1&continue=${body.metadata.continue}`);
    expect([answer.status, answer.body.reason]).toEqual([410, 'Expired']);
  });

  it.each([
    ['labelSelector', 'app=x', ['a']],
    ['labelSelector', 'app!=x', ['b', 'c']],
    ['labelSelector', 'app in (x,y),!tier', ['a']],
    ['labelSelector', 'tier', ['b']],
    ['labelSelector', 'app notin (x,y)', ['c']],
    ['fieldSelector', 'spec.nodeName=n1', ['b']],
    ['fieldSelector', 'spec.nodeName=', ['a', 'c']],
    ['fieldSelector', 'metadata.name=c', ['c']],
    ['fieldSelector', 'status.phase!=Running,spec.nodeName!=n1', ['a', 'c']],
  ])('selects by %s %s', async (kind, text, expected) => {
    const { cluster } = stage();
    cluster.create(podManifest('a', { labels: { app: 'x' } }));
    cluster.create(podManifest('b', { labels: { app: 'y', tier: 'web' } }));
    cluster.create(podManifest('c'));
    cluster.bind('b', 'n1');
    const { body } = await call(cluster, 'GET', `${PODS}?${kind}=${encodeURIComponent(text)}`);
    expect(names(body)).toEqual(expected);
  });

  it.each([
    ['fieldSelector=spec.image%3Dx', 400],
    ['labelSelector=a%20b', 400],
    ['resourceVersion=abc', 400],
    ['resourceVersion=999999', 504],
    ['resourceVersionMatch=Exact', 400],
    ['resourceVersion=0', 200],
  ])('answers ?%s with %d', async (query, code) => {
    const { cluster } = stage();
    const { status } = await call(cluster, 'GET', `${PODS}?${query}`);
    expect(status).toBe(code);
  });

  it('pages through 30,000 pods', async () => {
    const { cluster } = stage();
    for (let index = 0; index < 30_000; index++) cluster.plant(plain(`p${index}`));
    let token = '';
    let count = 0;
    let pages = 0;
    do {
      const { body } = await call(cluster, 'GET', `/api/v1/pods?limit=500&continue=${token}`);
      count += names(body).length;
      token = body.metadata.continue ?? '';
      pages++;
    } while (token !== '');
    expect([count, pages]).toEqual([30_000, 60]);
  });

  it('sends a long list in pieces, for no string could hold the longest', async () => {
    const { cluster } = stage();
    for (let index = 0; index < 1_234; index++) cluster.plant(plain(`p${index}`));
    const { body } = await send(cluster, 'GET', '/api/v1/pods');
    let text = '';
    for await (const chunk of body as AsyncIterable<string>) text += chunk;
    expect(names(JSON.parse(text))).toHaveLength(1_234);
    expect(new Set(names(JSON.parse(text))).size).toBe(1_234);
  });

  it('can be stale, or half loaded', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('a'));
    cluster.faults.freezeLists(kinds.PODS);
    cluster.create(podManifest('b'));
    expect(names((await call(cluster, 'GET', PODS)).body)).toEqual(['a']);
    cluster.faults.thawLists();
    cluster.faults.hidesFromLists = (object) => object.metadata.name === 'a';
    expect(names((await call(cluster, 'GET', PODS)).body)).toEqual(['b']);
  });
});

function plain(name: string): ReturnType<typeof podManifest> {
  const metadata = { name, namespace: 'default', uid: name, resourceVersion: '', creationTimestamp: '' };
  return { ...podManifest(name), metadata };
}

describe('watch', () => {
  it('resumes after a version and goes on', async () => {
    const { cluster, clock } = stage();
    cluster.create(podManifest('a'));
    const from = cluster.registry.store.revision;
    cluster.create(podManifest('b'));
    const reader = await WatchReader.open(cluster, `${WATCH}&resourceVersion=${from}`);
    cluster.setPodRunning('a');
    cluster.delete(kinds.PODS, 'b');
    await clock.settle();
    expect(reader.summary()).toEqual(['ADDED b', 'MODIFIED a', 'DELETED b']);
    const [added, , deleted] = reader.events;
    expect(added!.object).toMatchObject({ kind: 'Pod', apiVersion: 'v1' });
    expect(Number(deleted!.object.metadata.resourceVersion)).toBe(cluster.registry.store.revision);
  });

  it('begins with the state where no version is given', async () => {
    const { cluster, clock } = stage();
    cluster.create(podManifest('a'));
    const reader = await WatchReader.open(cluster, WATCH);
    await clock.settle();
    expect(reader.summary()).toEqual(['ADDED a']);
  });

  it('marks the end of the state for a streaming list', async () => {
    const { cluster, clock } = stage();
    cluster.create(podManifest('a'));
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const reader = await WatchReader.open(cluster, `${WATCH}&${query}`);
    await clock.settle();
    expect(reader.events.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK']);
    expect(reader.events[1]!.object.metadata).toMatchObject({
      resourceVersion: cluster.registry.store.revision.toString(),
      annotations: { 'k8s.io/initial-events-end': 'true' },
    });
  });

  it('turns a change of selection into an addition or a deletion', async () => {
    const { cluster, clock } = stage();
    cluster.create(podManifest('a'));
    const reader = await WatchReader.open(cluster, `${WATCH}&fieldSelector=spec.nodeName%3Dn1`);
    const pending = await WatchReader.open(cluster, `${WATCH}&fieldSelector=spec.nodeName%3D`);
    cluster.bind('a', 'n1');
    await clock.settle();
    expect(reader.summary()).toEqual(['ADDED a']);
    expect(pending.summary()).toEqual(['ADDED a', 'DELETED a']);
  });

  it('ends after timeoutSeconds and sends bookmarks before', async () => {
    const { cluster, clock } = stage();
    const from = cluster.registry.store.revision;
    const query = `resourceVersion=${from}&timeoutSeconds=150&allowWatchBookmarks=true`;
    const reader = await WatchReader.open(cluster, `${WATCH}&${query}`);
    cluster.create(readyNode('n1'));
    await clock.advance(149_000);
    expect(reader.summary()).toEqual(['BOOKMARK undefined', 'BOOKMARK undefined']);
    expect(reader.events[0]!.object.metadata.resourceVersion).toBe(
      cluster.registry.store.revision.toString(),
    );
    expect(reader.ended).toBe(false);
    await clock.advance(1_000);
    expect([reader.ended, reader.error]).toEqual([true, null]);
    expect(cluster.faults.openWatches()).toBe(0);
  });

  it('tells an expired version by an ERROR event with code 410', async () => {
    const { cluster, clock } = stage({ historyMax: 2 });
    for (let index = 0; index < 6; index++) cluster.create(podManifest(`p${index}`));
    const reader = await WatchReader.open(cluster, `${WATCH}&resourceVersion=2`);
    await clock.settle();
    expect(reader.events).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ]);
    expect(reader.ended).toBe(true);
  });

  it('is forgotten when the client leaves', async () => {
    const { cluster } = stage();
    const departure = new AbortController();
    await WatchReader.open(cluster, WATCH, departure.signal);
    expect(cluster.faults.openWatches(kinds.PODS)).toBe(1);
    departure.abort();
    expect(cluster.faults.openWatches()).toBe(0);
  });
});

describe('faults of watches', () => {
  it('cuts them off', async () => {
    const { cluster, clock } = stage();
    const pods = await WatchReader.open(cluster, WATCH);
    const nodes = await WatchReader.open(cluster, '/api/v1/nodes?watch=1');
    cluster.faults.cutWatches(kinds.PODS);
    await clock.settle();
    expect([pods.ended, nodes.ended]).toEqual([true, false]);
    expect(pods.error).toBeInstanceOf(WatchCut);
  });

  it('silences open ones for good, and leaves new ones well (case U009)', async () => {
    const { cluster, clock } = stage();
    const from = cluster.registry.store.revision;
    const silent = await WatchReader.open(cluster, `${WATCH}&resourceVersion=${from}&timeoutSeconds=60`);
    cluster.faults.silenceWatches();
    cluster.create(podManifest('p9'));
    await clock.advance(120_000);
    const fresh = await WatchReader.open(cluster, `${WATCH}&resourceVersion=${from}`);
    await clock.settle();
    expect([silent.summary(), silent.ended]).toEqual([[], false]);
    expect(fresh.summary()).toEqual(['ADDED p9']);
  });

  it('expires open ones, and what they resume from (case U034)', async () => {
    const { cluster, clock } = stage();
    const from = cluster.registry.store.revision;
    const open = await WatchReader.open(cluster, `${WATCH}&resourceVersion=${from}`);
    cluster.create(podManifest('a'));
    cluster.faults.expireWatches();
    const again = await WatchReader.open(cluster, `${WATCH}&resourceVersion=${from}`);
    await clock.settle();
    expect(open.summary()).toEqual(['ADDED a', 'ERROR 410']);
    expect(again.summary()).toEqual(['ERROR 410']);
  });

  it('answers 410 to the next watch (case U049), and doubles events', async () => {
    const { cluster, clock } = stage();
    const from = cluster.registry.store.revision;
    cluster.faults.expiredWatches = 1;
    cluster.faults.duplicates = 1;
    const first = await WatchReader.open(cluster, `${WATCH}&resourceVersion=${from}`);
    const second = await WatchReader.open(cluster, `${WATCH}&resourceVersion=${from}`);
    cluster.create(podManifest('a'));
    await clock.settle();
    expect(first.summary()).toEqual(['ERROR 410']);
    expect(second.summary()).toEqual(['ADDED a', 'ADDED a']);
  });

  it('refuses everything while the server is down', async () => {
    const { cluster } = stage();
    cluster.faults.down = true;
    expect((await send(cluster, 'GET', WATCH)).cut).toBe(true);
  });
});
