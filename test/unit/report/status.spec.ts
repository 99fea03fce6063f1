import { parse } from 'yaml';
import { KubernetesYamlRenderer } from '../../../src/adapters/yaml/kubernetes-yaml-renderer.js';
import {
  buildInitializingStatus,
  buildStatus,
  NO_STATUS_MEMORY,
} from '../../../src/application/report/build-status.js';
import type {
  StatusGroup,
  StatusInput,
  StatusNodeCounts,
} from '../../../src/application/report/status-input.js';
import {
  renderGoTime,
  renderRfc3339,
  renderRfc3339Fraction,
} from '../../../src/application/report/utc-time.js';

const NOW = Date.UTC(2026, 7, 21, 9, 15, 42, 120);
const MINUTE = 60_000;

function counts(fields: Partial<StatusNodeCounts> = {}): StatusNodeCounts {
  return {
    total: 4,
    ready: 4,
    notStarted: 0,
    suspended: 0,
    beingDeleted: 0,
    unready: 0,
    resourceUnready: 0,
    longUnregistered: 0,
    unregistered: 0,
    ...fields,
  };
}

function group(id: string, fields: Partial<StatusGroup> = {}): StatusGroup {
  return {
    id,
    isHealthy: true,
    counts: counts({ total: 1, ready: 1 }),
    targetSize: 1,
    minSize: 1,
    maxSize: 10,
    isScalingUp: false,
    backoff: null,
    scaleDownCandidates: 0,
    ...fields,
  };
}

function input(fields: Partial<StatusInput> = {}): StatusInput {
  return {
    nowMs: NOW,
    scaleDownEvaluatedMs: NOW,
    isHealthy: true,
    counts: counts(),
    scaleDownCandidates: 0,
    groups: [],
    ...fields,
  };
}

function yamlOf(fields: Partial<StatusInput> = {}): string {
  return new KubernetesYamlRenderer().render(buildStatus(input(fields), NO_STATUS_MEMORY).report.document);
}

function statusOf(fields: Partial<StatusInput> = {}): any {
  return parse(yamlOf(fields));
}

describe('status of a running autoscaler', () => {
  // interface 9/30
  it('has the shape and the order of keys that readers know', () => {
    const backoff = { code: 'cloudProviderError', message: 'failed to increase node group size: no stock' };
    const groups = [group('pool1'), group('pool2', { backoff, scaleDownCandidates: 1 })];
    const groupCounts = `    nodeCounts:
      longUnregistered: 0
      registered:
        notStarted: 0
        ready: 1
        suspended: 0
        total: 1
        unready:
          resourceUnready: 0
          total: 0
      unregistered: 0`;
    expect(yamlOf({ groups, scaleDownCandidates: 1 })).toBe(`autoscalerStatus: Running
clusterWide:
  health:
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    nodeCounts:
      longUnregistered: 0
      registered:
        notStarted: 0
        ready: 4
        suspended: 0
        total: 4
        unready:
          resourceUnready: 0
          total: 0
      unregistered: 0
    status: Healthy
  scaleDown:
    candidates: 1
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    status: CandidatesPresent
  scaleUp:
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    status: NoActivity
nodeGroups:
- health:
    cloudProviderTarget: 1
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    maxSize: 10
    minSize: 1
${groupCounts}
    status: Healthy
  name: pool1
  scaleDown:
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    status: NoCandidates
  scaleUp:
    backoffInfo: {}
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    status: NoActivity
- health:
    cloudProviderTarget: 1
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    maxSize: 10
    minSize: 1
${groupCounts}
    status: Healthy
  name: pool2
  scaleDown:
    candidates: 1
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    status: CandidatesPresent
  scaleUp:
    backoffInfo:
      errorCode: cloudProviderError
      errorMessage: "failed to increase node group size: no stock"
    lastProbeTime: "2026-08-21T09:15:42Z"
    lastTransitionTime: "2026-08-21T09:15:42Z"
    status: Backoff
time: 2026-08-21 09:15:42.12 +0000 UTC
`);
  });

  // interface 9/29
  it('has one time for the field and the annotation', () => {
    const { report } = buildStatus(input(), NO_STATUS_MEMORY);
    expect(report.document).toMatchObject({ autoscalerStatus: 'Running', time: report.lastUpdated });
    expect(report.lastUpdated).toBe('2026-08-21 09:15:42.12 +0000 UTC');
  });

  // interface 9/31
  it('moves the probe time with every loop and the transition time with the status only', () => {
    const first = buildStatus(input({ groups: [group('a')] }), NO_STATUS_MEMORY);
    const second = buildStatus(
      input({ nowMs: NOW + MINUTE, scaleDownEvaluatedMs: NOW + MINUTE, groups: [group('a')] }),
      first.memory,
    );
    const third = buildStatus(
      input({
        nowMs: NOW + 2 * MINUTE,
        scaleDownEvaluatedMs: NOW + MINUTE,
        groups: [group('a', { isHealthy: false })],
      }),
      second.memory,
    );
    const timesOf = ({ report }: typeof first): unknown => {
      const { clusterWide, nodeGroups } = report.document as any;
      const [only] = nodeGroups;
      return [clusterWide.health, only.health, only.scaleDown].map(
        ({ lastProbeTime, lastTransitionTime }) =>
          `${lastProbeTime.slice(11)} ${lastTransitionTime.slice(11)}`,
      );
    };
    expect([first, second, third].map(timesOf)).toEqual([
      ['09:15:42Z 09:15:42Z', '09:15:42Z 09:15:42Z', '09:15:42Z 09:15:42Z'],
      ['09:16:42Z 09:15:42Z', '09:16:42Z 09:15:42Z', '09:16:42Z 09:15:42Z'],
      ['09:17:42Z 09:15:42Z', '09:17:42Z 09:17:42Z', '09:16:42Z 09:15:42Z'],
    ]);
  });

  it('forgets groups that are gone', () => {
    const first = buildStatus(input({ groups: [group('a')] }), NO_STATUS_MEMORY);
    const second = buildStatus(input({ nowMs: NOW + MINUTE }), first.memory);
    expect([...second.memory.keys()].filter((key) => key.startsWith('group/'))).toEqual([]);
  });

  it.each([
    [{ isScalingUp: true, isHealthy: false, backoff: { code: 'x', message: '' } }, 'InProgress'],
    [{ isHealthy: false, backoff: { code: 'x', message: '' } }, 'Unhealthy'],
    [{ backoff: { code: 'x', message: '' } }, 'Backoff'],
    [{}, 'NoActivity'],
  ])('gives a group with %j the scale-up status %s', (fields, status) => {
    expect(statusOf({ groups: [group('a', fields)] }).nodeGroups[0].scaleUp.status).toBe(status);
  });

  it('is in progress as a whole while any group is', () => {
    const groups = [group('a'), group('b', { isScalingUp: true })];
    expect(statusOf({ groups }).clusterWide.scaleUp.status).toBe('InProgress');
  });

  it('leaves out what is zero or empty, and keeps times that were never set', () => {
    const status = statusOf({ scaleDownEvaluatedMs: null });
    expect(status).not.toHaveProperty('nodeGroups');
    expect(status).not.toHaveProperty('message');
    expect(status.clusterWide.scaleDown).toEqual({
      status: 'NoCandidates',
      lastProbeTime: null,
      lastTransitionTime: null,
    });
    expect(status.clusterWide.health.nodeCounts.registered).not.toHaveProperty('beingDeleted');
    const deleting = statusOf({ counts: counts({ beingDeleted: 2 }) });
    expect(deleting.clusterWide.health.nodeCounts.registered.beingDeleted).toBe(2);
  });

  // scale-up 14/73 (the limit is fixed, and longer than the suffix)
  it('cuts long messages to 500 characters', () => {
    const messageOf = (message: string): string =>
      statusOf({ groups: [group('a', { backoff: { code: 'x', message } })] }).nodeGroups[0].scaleUp
        .backoffInfo.errorMessage;
    expect(messageOf('m'.repeat(500))).toBe('m'.repeat(500));
    expect(messageOf('m'.repeat(501))).toBe(`${'m'.repeat(489)}<truncated>`);
  });

  it('stays below the size of a ConfigMap with any number of groups', () => {
    const backoff = { code: 'cloudProviderError', message: 'm'.repeat(600) };
    const groups = Array.from({ length: 3_000 }, (_, i) => group(`pool-${i}`, { backoff }));
    const yaml = yamlOf({ groups });
    expect(yaml.length).toBeLessThan(1024 * 1024);
    expect(parse(yaml).message).toBe('2300 more node groups are left out');
  });
});

describe('status while initialising', () => {
  // interface 9/29
  it('has no condition yet', () => {
    const { document } = buildInitializingStatus(NOW);
    const never = { lastProbeTime: null, lastTransitionTime: null };
    expect(parse(new KubernetesYamlRenderer().render(document))).toMatchObject({
      autoscalerStatus: 'Initializing',
      clusterWide: { health: never, scaleUp: never, scaleDown: never },
      time: '2026-08-21 09:15:42.12 +0000 UTC',
    });
    expect(JSON.stringify(document)).not.toContain('"status"');
  });

  it('can carry a message', () => {
    expect(buildInitializingStatus(NOW, 'Cluster has no nodes.').document).toMatchObject({
      message: 'Cluster has no nodes.',
    });
  });
});

describe('times', () => {
  it.each([
    0,
    NOW,
    Date.UTC(2024, 1, 29, 23, 59, 59, 999),
    Date.UTC(2000, 2, 1),
    Date.UTC(2099, 11, 31, 1, 2, 3),
  ])('of %d agree with the calendar', (ms) => {
    expect(renderRfc3339(ms)).toBe(new Date(ms).toISOString().replace(/\.\d+Z$/u, 'Z'));
  });

  it('drop an empty fraction and trailing zeros', () => {
    expect(renderGoTime(NOW - 120)).toBe('2026-08-21 09:15:42 +0000 UTC');
    expect(renderRfc3339Fraction(NOW + 3)).toBe('2026-08-21T09:15:42.123Z');
    expect(renderRfc3339Fraction(NOW)).toBe('2026-08-21T09:15:42.12Z');
  });
});
