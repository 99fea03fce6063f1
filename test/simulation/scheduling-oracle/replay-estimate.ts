import { estimateByRuns } from '../../../src/domain/estimation/index.js';
import type { Estimate, PendingClass } from '../../../src/domain/estimation/index.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import { classifyPods, relevantLabelKeys, VolumeClasses } from '../../../src/domain/simulation/index.js';
import type { CsiNodeObject, NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import { findNamed, labelsOf, nameOf } from '../../reference/oracle/cluster.js';
import type { Cluster } from '../../reference/oracle/cluster.js';
import { effectiveRequest, roundedAllocatable } from '../../reference/oracle/effective-request.js';
import { judge } from '../../reference/oracle/judge.js';
import { HOSTNAME } from './features/draft.js';
import { TEMPLATE_NAME } from './estimate-scenario.js';
import type { EstimateScenario } from './estimate-scenario.js';
import { Random } from './random.js';
import { ReferenceWorld } from './reference-world.js';
import { Subject } from './subject.js';

/** Orders of classes that are tried before an estimate is doubted. */
const ATTEMPTS_MAX = 200;

export interface Replay {
  readonly estimate: Estimate;
  /** What the oracle holds against the estimate, or null. */
  readonly fault: string | null;
}

/**
 * Estimates, then looks for a way to place as many pods of each class on as many copies of the template, pod by pod,
 * every placement allowed by the oracle. Null where the template itself can't be read.
 */
export function replayEstimate(scenario: EstimateScenario): Replay | null {
  const subject = new Subject(scenario);
  const node = subject.readNode(scenario.template);
  if (node === null) return null;
  const world = new ReferenceWorld({ ...scenario.cluster, nodes: [], placements: [] });
  const waiting = settle(scenario, subject, world);
  const templatePods = scenario.templatePods.flatMap((pod) => subject.readPod(pod) ?? []);
  const template = { groupId: 'g', node, pods: templatePods, source: 'provider' as const };
  const running = subject.snapshot.nodeNames().flatMap((name) => subject.snapshot.podsOn(name));
  const classes = classify(subject, [...waiting.values()], [...running, ...templatePods]);
  const estimate = estimateByRuns(subject.snapshot, template, classes, { maxNodes: scenario.maxNodes });
  const objects = classes.map(({ pods }) => pods.map((pod) => findNamed(scenario.pods, pod.name)!));
  const readable = scenario.templatePods.filter((pod) => subject.readPod(pod) !== null);
  const readableScenario = { ...scenario, templatePods: readable };
  return { estimate, fault: findPlan(readableScenario, world.cluster, objects, estimate) };
}

/** Puts nodes and running pods on both sides; returns the pods that wait. */
function settle(scenario: EstimateScenario, subject: Subject, world: ReferenceWorld): Map<string, Pod> {
  for (const object of scenario.cluster.nodes) {
    const node = subject.readNode(object);
    if (node === null) continue;
    subject.snapshot.addNode(node);
    world.addNode(object);
  }
  const records = new Map(
    scenario.pods.flatMap((pod) => {
      const record = subject.readPod(pod);
      return record === null ? [] : [[nameOf(pod), record] as const];
    }),
  );
  for (const { pod, node } of scenario.running) {
    const record = records.get(pod);
    const object = findNamed(scenario.pods, pod);
    if (record === undefined || object === undefined || world.node(node) === undefined) continue;
    subject.snapshot.addPod(record, node);
    world.place(object, node);
    records.delete(pod);
  }
  return records;
}

function classify(
  subject: Subject,
  waiting: readonly Pod[],
  existing: readonly Pod[],
): readonly PendingClass[] {
  const volumes = new VolumeClasses(subject.storage, [...waiting, ...existing]);
  return classifyPods(waiting, relevantLabelKeys(waiting, existing), volumes).classes;
}

/** Tries one order of the classes after another; what the last one met with, or null where one of them leads there. */
function findPlan(
  scenario: EstimateScenario,
  cluster: Cluster,
  classes: readonly (readonly PodObject[])[],
  { nodeCount, placed }: Estimate,
): string | null {
  const random = new Random(1);
  const wanted = classes.map((pods, index) => pods.slice(0, placed[index]));
  let fault: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const order = orderOf(attempt, scenario, wanted, random);
    const replayer = new Replayer(
      scenario,
      new ReferenceWorld(cluster),
      attempt % 2 === 0 ? 'first' : 'emptiest',
    );
    fault = replayer.replay(order, nodeCount);
    if (fault === null) return null;
  }
  return fault;
}

/** Largest first, then those with spread constraints first: others may use up what these allow. Then any order. */
function orderOf(
  attempt: number,
  scenario: EstimateScenario,
  classes: readonly (readonly PodObject[])[],
  random: Random,
): readonly (readonly PodObject[])[] {
  if (attempt >= 4) return random.shuffle(classes);
  const rank = ([pod]: readonly PodObject[]): number =>
    attempt < 2 ? shareOf(scenario, pod) : (pod?.spec?.topologySpreadConstraints ?? []).length;
  return [...classes].sort((left, right) => rank(right) - rank(left));
}

/** Of a fresh node's cpu and memory (`scheduling` 4.5): the largest come first. */
function shareOf({ template }: EstimateScenario, pod: PodObject | undefined): number {
  if (pod === undefined) return 0;
  const request = effectiveRequest(pod, 'incoming');
  const allocatable = roundedAllocatable(template.status?.allocatable);
  return ['cpu', 'memory'].reduce((sum, name) => {
    const total = Number(allocatable.get(name) ?? 0n);
    return total === 0 ? sum : sum + Number(request.get(name) ?? 0n) / total;
  }, 0);
}

/** Greedy: each pod on the new node that is preferred among those that the oracle allows, else on one more. */
class Replayer {
  private readonly added: NodeObject[] = [];

  constructor(
    private readonly scenario: EstimateScenario,
    private readonly world: ReferenceWorld,
    private readonly preference: 'first' | 'emptiest',
  ) {}

  replay(classes: readonly (readonly PodObject[])[], nodeCount: number): string | null {
    const { maxNodes } = this.scenario;
    if (maxNodes !== null && nodeCount > maxNodes)
      return `${nodeCount.toString()} nodes are more than allowed`;
    const left = classes.map((pods) => [...pods]);
    // A class may have to wait for another that it wants to be near.
    while (left.some((pods) => pods.length > 0)) {
      let isStuck = true;
      for (const pods of left) {
        while (pods[0] !== undefined && this.place(pods[0], nodeCount)) {
          pods.shift();
          isStuck = false;
        }
      }
      if (isStuck)
        return `no place for ${left.map((pods) => pods.length).join(', ')} of what was to be placed`;
    }
    return null;
  }

  private place(pod: PodObject, nodeCount: number): boolean {
    const candidates = this.added.filter((node) => this.allows(pod, node));
    const chosen =
      this.preference === 'first' ? candidates[0] : candidates.sort((a, b) => this.load(a) - this.load(b))[0];
    if (chosen !== undefined) {
      this.world.place(pod, nameOf(chosen));
      return true;
    }
    if (this.added.length >= nodeCount) return false;
    this.world.fork();
    const fresh = this.addCopy();
    if (!this.allows(pod, fresh)) {
      this.world.revert();
      return false;
    }
    this.world.commit();
    this.added.push(fresh);
    this.world.place(pod, nameOf(fresh));
    return true;
  }

  private allows(pod: PodObject, node: NodeObject): boolean {
    return judge(this.world.cluster, pod, node, this.scenario.options).fit;
  }

  private load(node: NodeObject): number {
    return this.world.cluster.placements.filter(({ nodeName }) => nodeName === nameOf(node)).length;
  }

  /** A node of its own name and hostname, with its DaemonSet pods and the limits of the template's CSINode. */
  private addCopy(): NodeObject {
    const { template, templatePods } = this.scenario;
    const name = `${TEMPLATE_NAME}-e-${this.added.length.toString()}`;
    const node = {
      ...template,
      metadata: { ...template.metadata, name, labels: { ...labelsOf(template), [HOSTNAME]: name } },
    };
    this.world.addNode(node);
    for (const pod of templatePods)
      this.world.place({ ...pod, metadata: { ...pod.metadata, name: `${nameOf(pod)}-${name}` } }, name);
    this.world.cluster = withCsiNode(this.world.cluster, name);
    return node;
  }
}

function withCsiNode(cluster: Cluster, name: string): Cluster {
  const known = findNamed(cluster.csiNodes, TEMPLATE_NAME);
  if (known === undefined) return cluster;
  const copy: CsiNodeObject = { ...known, metadata: { ...known.metadata, name } };
  return { ...cluster, csiNodes: [...cluster.csiNodes, copy] };
}
