import { SnapshotDesk } from '../../../src/application/report/snapshot-desk.js';
import type { SnapshotContent } from '../../../src/application/report/snapshot-desk.js';
import { buildNode, buildPod, buildTemplate, T0 } from '../../support/builders.js';

function createDesk(): SnapshotDesk {
  return new SnapshotDesk({ now: () => T0, sleep: () => Promise.resolve(), yield: () => Promise.resolve() });
}

const content: SnapshotContent = {
  observation: {
    nodes: [buildNode('n1'), buildNode('n2')],
    pods: [buildPod('a', { nodeName: 'n1', cpuMilli: 250 }), buildPod('b')],
  },
  schedulablePods: [buildPod('c')],
  templates: new Map([['pool1', buildTemplate('pool1')]]),
};

const never = new AbortController().signal;

describe('debugging snapshots', () => {
  // interface 9/28
  it('give the one who waits the state of the next loop, and others are busy', async () => {
    const desk = createDesk();
    const first = desk.request(never);
    expect(await desk.request(never)).toEqual({ kind: 'busy' });
    desk.beginLoop();
    desk.collect(content);
    desk.finishLoop();
    expect(await first).toMatchObject({
      kind: 'collected',
      body: {
        NodeList: [
          {
            Node: {
              metadata: { name: 'n1' },
              status: { allocatable: { cpu: '4000m', memory: '8589934592' } },
            },
            Pods: [{ metadata: { name: 'a' }, spec: { resources: { requests: { cpu: '250m' } } } }],
          },
          { Node: { metadata: { name: 'n2' } }, Pods: [] },
        ],
        UnscheduledPodsCanBeScheduled: [{ metadata: { name: 'c' } }],
        TemplateNodes: { pool1: { Node: { metadata: { name: 'template-node-for-pool1-1' } }, Pods: [] } },
        StartTimestamp: '2026-01-01T00:00:00Z',
        EndTimestamp: '2026-01-01T00:00:00Z',
      },
    });
  });

  it('wait for a whole loop when they are asked in the middle of one', async () => {
    const desk = createDesk();
    desk.beginLoop();
    const request = desk.request(never);
    desk.collect(content);
    desk.finishLoop();
    desk.beginLoop();
    desk.collect({ ...content, observation: { nodes: [], pods: [] } });
    desk.finishLoop();
    expect(await request).toMatchObject({ kind: 'collected', body: { NodeList: [] } });
  });

  it('say that a loop collected nothing', async () => {
    const desk = createDesk();
    const request = desk.request(never);
    desk.beginLoop();
    desk.finishLoop();
    expect(await request).toMatchObject({
      kind: 'nothing-collected',
      body: {
        NodeList: [],
        UnscheduledPodsCanBeScheduled: [],
        TemplateNodes: {},
        Error: 'Unable to collect any data',
      },
    });
  });

  it('are abandoned when the asker goes, and the next one is served', async () => {
    const desk = createDesk();
    const asker = new AbortController();
    const request = desk.request(asker.signal);
    asker.abort();
    expect(await request).toEqual({ kind: 'abandoned' });
    const next = desk.request(never);
    desk.close();
    expect(await next).toEqual({ kind: 'abandoned' });
    expect(await desk.request(never)).toEqual({ kind: 'abandoned' });
  });
});
