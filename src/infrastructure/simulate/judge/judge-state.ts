import { kinds } from '../../../sandbox/kubernetes/index.js';
import type { KubeObject, Pod } from '../../../sandbox/kubernetes/index.js';
import { DELETION_CANDIDATE_TAINT, TO_BE_DELETED_TAINT } from '../../../sandbox/scenarios/index.js';
import type { StateExpectation } from '../../../sandbox/scenarios/index.js';
import type { HetznerSandbox } from '../../../sandbox/hetzner-sandbox.js';
import { matchesName } from './verdict.js';
import type { Verdict } from './verdict.js';

const NAMESPACE = 'kube-system';
const FOUND_MAX = 200;

export function judgeState(state: StateExpectation, sandbox: HetznerSandbox): readonly Verdict[] {
  const { cluster } = sandbox;
  const names = cluster.nodes().map(({ metadata }) => metadata.name);
  const verdicts: Verdict[] = [];
  for (const [group, count] of state.servers ?? []) {
    verdicts.push(equal(`servers of ${group}`, count, sandbox.poolServers(group).length));
  }
  if (state.nodes !== undefined) verdicts.push(sameNames('nodes', state.nodes, names));
  if (state.nodeCount !== undefined) verdicts.push(equal('number of nodes', state.nodeCount, names.length));
  for (const [pattern, fate] of state.pods ?? []) verdicts.push(judgePods(pattern, fate, cluster.pods()));
  for (const [owner, count] of state.podsOf ?? []) {
    const running = cluster.pods().filter((pod) => ownerOf(pod) === owner && isRunning(pod)).length;
    verdicts.push(equal(`running pods of ${owner}`, count, running));
  }
  const markedWith = (mark: string): readonly string[] =>
    cluster
      .nodes()
      .filter(({ spec }) => (spec?.taints ?? []).some(({ key }) => key === mark))
      .map(({ metadata }) => metadata.name);
  if (state.marks !== undefined) {
    verdicts.push(sameNames('marked nodes', state.marks, markedWith(TO_BE_DELETED_TAINT)));
  }
  if (state.softMarks !== undefined) {
    verdicts.push(sameNames('softly marked nodes', state.softMarks, markedWith(DELETION_CANDIDATE_TAINT)));
  }
  if (state.cordoned !== undefined) {
    const cordoned = cluster.nodes().filter(({ spec }) => spec?.unschedulable === true);
    verdicts.push(
      sameNames(
        'cordoned nodes',
        state.cordoned,
        cordoned.map(({ metadata }) => metadata.name),
      ),
    );
  }
  for (const text of state.status ?? []) verdicts.push(judgeStatus(text, sandbox));
  if (state.leader !== undefined) {
    const lease = cluster.get(kinds.LEASES, 'cluster-autoscaler', NAMESPACE);
    const holder =
      (lease?.['spec'] as { readonly holderIdentity?: string } | undefined)?.holderIdentity ?? 'nobody';
    verdicts.push(equal('leader', state.leader, holder));
  }
  return verdicts;
}

function equal(what: string, wanted: number | string, found: number | string): Verdict {
  return { text: `${what}: ${wanted}`, holds: found === wanted, found: `${found}` };
}

function sameNames(what: string, patterns: readonly string[], names: readonly string[]): Verdict {
  const isKnown = names.every((name) => patterns.some((pattern) => matchesName(pattern, name)));
  const isComplete = patterns.every((pattern) => names.some((name) => matchesName(pattern, name)));
  const text = `${what}: ${patterns.length === 0 ? 'none' : patterns.join(', ')}`;
  return { text, holds: isKnown && isComplete, found: names.join(', ').slice(0, FOUND_MAX) };
}

type PodFate = 'running' | 'waiting' | 'gone' | 'on-a-node';

function judgePods(pattern: string, fate: PodFate, pods: readonly Pod[]): Verdict {
  const matching = pods.filter(({ metadata }) => matchesName(pattern, metadata.name));
  const text = `pods ${pattern}: ${fate}`;
  if (fate === 'gone') return { text, holds: matching.length === 0, found: `${matching.length} are there` };
  const others = matching.filter((pod) => !hasFate(pod, fate)).map(({ metadata }) => metadata.name);
  const found = matching.length === 0 ? 'there is none' : `not so: ${others.join(', ').slice(0, FOUND_MAX)}`;
  return { text, holds: matching.length > 0 && others.length === 0, found };
}

function hasFate(pod: Pod, fate: Exclude<PodFate, 'gone'>): boolean {
  if (fate === 'running') return isRunning(pod);
  return (pod.spec.nodeName === undefined) === (fate === 'waiting');
}

function isRunning({ metadata, status }: Pod): boolean {
  return status?.phase === 'Running' && metadata.deletionTimestamp === undefined;
}

const SHORT_KINDS: Readonly<Record<string, string>> = {
  ReplicaSet: 'rs',
  StatefulSet: 'sts',
  Job: 'job',
  DaemonSet: 'ds',
};

function ownerOf({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.[0];
  return owner === undefined ? '' : `${SHORT_KINDS[owner.kind] ?? owner.kind}/${owner.name}`;
}

function judgeStatus(text: string, { cluster }: HetznerSandbox): Verdict {
  const map = cluster.get(kinds.CONFIG_MAPS, 'cluster-autoscaler-status', NAMESPACE);
  const status = Object.values((map?.['data'] ?? {}) as Readonly<Record<string, string>>).join('\n');
  return { text: `status says ${text}`, holds: status.includes(text), found: status.slice(0, FOUND_MAX) };
}
