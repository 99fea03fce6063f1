import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { PodObject } from '../../reference/oracle/api-objects.js';
import { nameOf } from '../../reference/oracle/cluster.js';
import { judge } from '../../reference/oracle/judge.js';
import { isReadableNode, isReadablePod } from '../../reference/oracle/readable.js';
import type { OracleVerdict } from '../../reference/oracle/verdict.js';
import { ReferenceWorld } from './reference-world.js';
import type { Scenario, Step } from './scenario.js';
import { asOracleVerdict, Subject } from './subject.js';

export interface Disagreement {
  /** Number of steps done; 0: none. */
  readonly step: number;
  readonly about: string;
  readonly program: unknown;
  readonly oracle: unknown;
}

/** What was judged, by verdict. */
export class Tally {
  readonly counts = new Map<string, number>();
  judgements = 0;

  count(verdict: OracleVerdict): void {
    const key = verdict.fit
      ? 'fits'
      : `${verdict.plugin}: ${withoutNames(verdict.reasons[0] ?? verdict.message)}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    this.judgements++;
  }
}

/** Plays a scenario on both sides; the first difference ends it. All pods are judged on all nodes after each step. */
export function compare(scenario: Scenario, tally = new Tally()): Disagreement | null {
  return new Comparison(scenario, tally).run();
}

/** The same where only the steps themselves are judged: for long rows of placements. */
export function comparePlacements(scenario: Scenario): Disagreement | null {
  return new Comparison(scenario, null).run();
}

class Comparison {
  private readonly subject: Subject;
  private readonly world: ReferenceWorld;
  private readonly pods = new Map<string, { readonly object: PodObject; readonly record: Pod }>();
  private step = 0;
  private found: Disagreement | null = null;

  constructor(
    private readonly scenario: Scenario,
    private readonly tally: Tally | null,
  ) {
    this.subject = new Subject(scenario);
    this.world = ReferenceWorld.of(scenario);
  }

  run(): Disagreement | null {
    this.readPods();
    for (const node of this.scenario.cluster.nodes) this.take({ do: 'add-node', node, pods: [] });
    this.judgeAll();
    for (const step of this.scenario.steps) {
      if (this.found !== null) break;
      this.step++;
      this.take(step);
      this.judgeAll();
    }
    return this.found;
  }

  private readPods(): void {
    for (const object of this.scenario.pods) {
      const record = this.subject.readPod(object);
      this.expectEqual(`whether ${nameOf(object)} can be read`, record !== null, isReadablePod(object));
      if (record !== null) this.pods.set(nameOf(object), { object, record });
    }
  }

  private judgeAll(): void {
    const names = this.world.cluster.nodes.map(nameOf);
    this.expectEqual('nodes', this.subject.snapshot.nodeNames(), names);
    if (this.tally === null) return;
    for (const [podName, { object, record }] of this.pods) {
      for (const node of this.world.cluster.nodes) {
        if (this.found !== null) return;
        const expected = judge(this.world.cluster, object, node, this.scenario.options);
        const actual = asOracleVerdict(this.subject.snapshot.check(record, nameOf(node)));
        this.tally.count(expected);
        this.expectEqual(`${podName} on ${nameOf(node)}`, inOurWords(actual), inOurWords(expected));
      }
    }
  }

  private expectEqual(about: string, program: unknown, oracle: unknown): void {
    if (JSON.stringify(program) === JSON.stringify(oracle)) return;
    this.found ??= { step: this.step, about, program, oracle };
  }

  private take(step: Step): void {
    const { subject, world } = this;
    switch (step.do) {
      case 'fork':
        subject.snapshot.fork();
        world.fork();
        return;
      case 'revert':
        if (world.depth === 0) return;
        subject.snapshot.revert();
        world.revert();
        return;
      case 'commit':
        subject.snapshot.commit();
        world.commit();
        return;
      case 'add-node':
        this.addNode(step);
        return;
      case 'remove-node':
        if (world.node(step.node) === undefined) return;
        subject.snapshot.removeNode(step.node);
        world.removeNode(step.node);
        return;
      default:
        this.movePod(step);
    }
  }

  private addNode({ node, pods }: Extract<Step, { do: 'add-node' }>): void {
    const record = this.subject.readNode(node);
    this.expectEqual(`whether ${nameOf(node)} can be read`, record !== null, isReadableNode(node));
    if (record === null || this.world.node(nameOf(node)) !== undefined) return;
    const own = [...new Set(pods)].flatMap((name) => this.unplaced(name) ?? []);
    this.subject.snapshot.addNode(
      record,
      own.map((pod) => pod.record),
    );
    this.world.addNode(node);
    for (const { object } of own) this.world.place(object, nameOf(node));
  }

  private unplaced(name: string) {
    const pod = this.pods.get(name);
    return pod === undefined || this.world.placeOf(pod.object) !== null ? undefined : pod;
  }

  private movePod(step: Extract<Step, { pod: string }>): void {
    const pod = this.pods.get(step.pod);
    if (pod === undefined) return;
    const { object, record } = pod;
    const place = this.world.placeOf(object);
    if (step.do === 'remove') {
      if (place === null) return;
      this.subject.snapshot.removePod(record, place);
      this.world.remove(object);
    } else if (place === null) {
      if (step.do === 'search') this.search(object, record, step.hint);
      else this.put(object, record, step);
    }
  }

  private put(object: PodObject, record: Pod, step: { do: 'force' | 'place'; node: string }): void {
    const node = this.world.node(step.node);
    if (node === undefined) return;
    if (step.do === 'force') this.subject.snapshot.addPod(record, step.node);
    else if (!this.subject.snapshot.place(record, step.node).fit) return;
    this.world.place(object, step.node);
  }

  /** A search finds only what the oracle allows, and finds something where it allows anything (4.6, 4.7). */
  private search(object: PodObject, record: Pod, hint: string | null): void {
    const free = withoutNodeName(object);
    const allowed = this.world.cluster.nodes
      .filter((node) => judge(this.world.cluster, free, node, this.scenario.options).fit)
      .filter((node) => node.spec?.unschedulable !== true || nameOf(node) === hint)
      .map(nameOf);
    const found = this.subject.snapshot.placeAnywhere(record, hint === null ? {} : { hint });
    if (found.fit) {
      const isRight =
        hint !== null && allowed.includes(hint) ? found.nodeName === hint : allowed.includes(found.nodeName);
      this.expectEqual(`search for ${nameOf(object)}`, found.nodeName, isRight ? found.nodeName : allowed);
      this.world.place(object, found.nodeName);
    } else {
      this.expectEqual(`search for ${nameOf(object)}`, 'nothing', allowed.length === 0 ? 'nothing' : allowed);
    }
  }
}

/** A search looks for any node: the one that the pod has at present doesn't matter (4.7). */
function withoutNodeName(pod: PodObject): PodObject {
  return { ...pod, spec: { ...pod.spec, nodeName: null } };
}

/** What a parser says of a malformed selector is not specified. */
function inOurWords(verdict: OracleVerdict): OracleVerdict {
  if (verdict.fit) return verdict;
  const reasons = verdict.reasons.map((reason) =>
    reason.startsWith('parsing pod: ') || reason.startsWith('malformed ') ? 'parsing' : reason,
  );
  return {
    fit: false,
    plugin: verdict.plugin,
    reasons,
    ...(verdict.message && { message: verdict.message }),
  };
}

/** Texts of one kind under one key. */
function withoutNames(reason: string | undefined): string {
  return (reason ?? '')
    .replace(/^parsing pod: .*/, 'parsing pod')
    .replace(/^PVC .* \(/, 'PVC … (')
    .replace(/"[^"]*"/g, '"…"');
}
