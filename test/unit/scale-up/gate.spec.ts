import {
  isReservedForScaleDown,
  judgeGate,
  mayScaleDown,
  nextDegradation,
} from '../../../src/domain/scale-up/index.js';
import type { GateInput } from '../../../src/domain/scale-up/index.js';
import { T0, buildPod } from '../../support/builders.js';

const pod = (name: string, ageMs: number, gpu = false) =>
  buildPod(name, { createdMs: T0 - ageMs, ...(gpu ? { requests: { 'nvidia.com/gpu': 1 } } : {}) });

const judge = (fields: Partial<GateInput>) =>
  judgeGate({
    nowMs: T0,
    pods: [pod('old', 60_000)],
    readyNodeCount: 3,
    maxNodesTotal: 0,
    hasBypassedSchedulers: false,
    reservedForScaleDown: false,
    ...fields,
  });
const closed = (result: string, opensAtMs: number | null = null) => ({ open: false, result, opensAtMs });

describe('gate', () => {
  it.each<[string, Partial<GateInput>, ReturnType<typeof closed>]>([
    ['nothing pending', { pods: [] }, closed('ScaleUpNotNeeded')],
    ['as many nodes as allowed', { maxNodesTotal: 3 }, closed('ScaleUpLimitedByMaxNodesTotal')],
    ['only new pods', { pods: [pod('a', 1_999)] }, closed('ScaleUpInCooldown', T0 + 1)],
    ['an iteration for scale-down', { reservedForScaleDown: true }, closed('ScaleUpInCooldown')],
  ])('is closed with %s', (_, fields, expected) => {
    expect(judge(fields)).toEqual(expected);
  });

  it('is open when the oldest pod is two seconds old', () => {
    const pods = [pod('old', 2_000), pod('new', 0)];
    expect(judge({ pods })).toEqual({ open: true, pods, heldBack: [] });
  });

  // scale-up 14/81
  it('does not wait for new pods when schedulers are bypassed', () => {
    const pods = [pod('new', 0)];
    expect(judge({ pods, hasBypassedSchedulers: true })).toMatchObject({ open: true, pods });
  });

  // scale-up 15/25
  it('holds new GPU pods back for half a minute, and only those', () => {
    const plain = pod('plain', 3_000);
    const gpu = pod('gpu', 29_999, true);
    expect(judge({ pods: [plain, gpu] })).toEqual({ open: true, pods: [plain], heldBack: [gpu] });
    expect(judge({ pods: [gpu] })).toEqual(closed('ScaleUpInCooldown', T0 + 1));
    const old = pod('old-gpu', 30_000, true);
    expect(judge({ pods: [gpu, old] })).toMatchObject({ open: true, heldBack: [] });
  });
});

describe('graceful degradation', () => {
  // scale-up 14/86
  // scale-down 13.12/159
  it('leaves each fourth iteration to scale-down', () => {
    expect([0, 4, 5, 8].map(mayScaleDown)).toEqual([true, true, false, true]);
    expect([0, 4, 5, 8].map(isReservedForScaleDown)).toEqual([false, true, false, true]);
  });

  // scale-up 14/90
  it('tells when it begins and ends, once', () => {
    const begun = nextDegradation(0, 7);
    const goes = nextDegradation(begun.degradedLoops, 7);
    const ended = nextDegradation(goes.degradedLoops, 0);
    expect([begun, goes, ended].map(({ degradedLoops, event }) => [degradedLoops, event?.reason])).toEqual([
      [1, 'GracefulDegradationStarted'],
      [2, undefined],
      [0, 'GracefulDegradationStopped'],
    ]);
    expect(nextDegradation(0, 0).event).toBeNull();
  });
});
