import { InProcessDispatcher } from '../../src/sandbox/http/index.js';
import { SeededRandom, VirtualClock } from '../../src/sandbox/world/index.js';
import { RecordedIncidents, RecordedLog, source } from '../support/recorders.js';
import { TinycloudApi, TinycloudProvider, readTinycloudConfiguration } from './adapter/index.js';
import { TOKEN, Tinycloud } from './fake/tinycloud.js';

const { signal } = new AbortController();

/** What the contract kit can't know: how this adapter finds out about an order without a telling answer. */
async function start() {
  const clock = new VirtualClock();
  const cloud = new Tinycloud(clock);
  const dispatcher = new InProcessDispatcher({ clock }).mount('https://api.tinycloud.example', cloud.front);
  const configuration = readTinycloudConfiguration(source({ TINYCLOUD_TOKEN: TOKEN }), ['0:5:small:web']);
  const api = new TinycloudApi(configuration, dispatcher);
  const random = new SeededRandom(1);
  const log = new RecordedLog();
  const provider = new TinycloudProvider(configuration, api, clock, random, log, new RecordedIncidents());
  await clock.complete(provider.start(signal));
  const group = () => provider.nodeGroups()[0]!;
  const loops = async (count: number) => {
    for (let loop = 0; loop < count; loop++) {
      await clock.complete(provider.refresh(signal));
      await clock.advance(10_000);
    }
  };
  return { clock, cloud, provider, group, loops };
}

describe('an order without an answer', () => {
  it('counts as ordered until the lists have told for a minute that nothing came, and is a failed machine then', async () => {
    const { clock, cloud, provider, group, loops } = await start();
    cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'cut-before' } });
    const growth = await clock.complete(provider.increaseSize('web', 1, signal));
    expect(growth).toEqual({ accepted: 1, failure: null });
    await loops(6);
    expect(group()).toMatchObject({ targetSize: 1, instances: [{ state: 'creating', failure: null }] });
    await loops(2);
    expect(group().instances).toMatchObject([{ failure: { kind: 'unknown-outcome', code: 'order_lost' } }]);

    const { id, name } = group().instances[0]!;
    const machine = { instanceId: id, name, cause: 'create-error' } as const;
    await provider.deleteInstances('web', [machine], { force: false, signal });
    expect(group()).toMatchObject({ targetSize: 0, instances: [] });
  });

  it('that was cancelled meanwhile is undone when its machine turns up', async () => {
    const { clock, cloud, provider, group, loops } = await start();
    cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'cut-after' } });
    await clock.complete(provider.increaseSize('web', 1, signal));
    await provider.decreaseTargetSize('web', 1);
    expect(cloud.machines.size).toBe(1);
    await loops(1);
    expect(cloud.machines.size).toBe(0);
    expect(group().targetSize).toBe(0);
  });
});

it.each([
  ['a refusal', 429, { kind: 'transient', code: 'http_429', retryAfterMs: 30_000 }, 0],
  ['no proof that nothing was bought', 502, { accepted: 1, failure: null }, 1],
] as const)('the page of a proxy is %s with status %i', async (_what, status, outcome, targetSize) => {
  const { clock, cloud, provider, group } = await start();
  const page = { status, body: '<html>no</html>', headers: { 'retry-after': '30' } };
  cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'answer', ...page } });
  const growth = clock.complete(provider.increaseSize('web', 1, signal));
  expect(await growth.catch((error: unknown) => error)).toMatchObject(outcome);
  expect(group().targetSize).toBe(targetSize);
});
