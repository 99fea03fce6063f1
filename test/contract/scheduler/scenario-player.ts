import type { PodObject } from '../../reference/oracle/api-objects.js';
import { nameOf } from '../../reference/oracle/cluster.js';
import type { Cluster } from '../../reference/oracle/cluster.js';
import type { Random } from '../../simulation/scheduling-oracle/random.js';
import type { Scenario } from '../../simulation/scheduling-oracle/scenario.js';
import type { ApiClient, Json } from './api-client.js';
import { EXCEPTIONS } from './exceptions.js';
import { oracleJudge, programJudge } from './expected-judgement.js';
import type { Judge, Judgement } from './expected-judgement.js';
import type { FeasibilityExtender } from './feasibility-extender.js';
import { LiveCluster } from './live-cluster.js';
import type { PodConditions } from './pod-conditions.js';
import type { TolerantWriter } from './refusals.js';
import { ENFORCED } from './scheduler-process.js';
import type { Score } from './score.js';

/** One pod that is judged differently, and the whole cluster as the API server holds it. */
export interface Disagreement {
  readonly scheduler: Judgement;
  readonly program: Judgement;
  readonly oracle: Judgement;
  readonly pod: PodObject;
  readonly cluster: Cluster;
}

/** Where the scheduler and its surroundings are. */
export interface Court {
  readonly client: ApiClient;
  readonly writer: TolerantWriter;
  readonly extender: FeasibilityExtender;
  readonly conditions: PodConditions;
  readonly score: Score;
}

/** Pods that are judged in one round. */
const PENDING_MAX = 10;
const ROUNDS = 2;
/** A pod that is judged otherwise is judged again: the scheduler's caches may be a moment behind. */
const ATTEMPTS_MAX = 3;
const REST_MS = 400;

/** The scheduler, the program and the oracle judge the pods of one generated cluster; null: they agree. */
export async function playScenario(
  court: Court,
  generated: Scenario,
  serial: number,
  random: Random,
): Promise<Disagreement | null> {
  // What the scheduler was configured with at its start.
  const addedAffinity = generated.options.addedAffinity && ENFORCED;
  const scenario = { ...generated, options: { tolerationComparison: false, addedAffinity } };
  const live = new LiveCluster(court, scenario, serial);
  try {
    await live.build();
    if (live.nodeNames.length === 0) return null;
    const waiting = await placeFirst(live, scenario);
    court.score.scenarios++;
    return await new Trial(court, live, scenario).run(waiting, random);
  } finally {
    await live.clear();
  }
}

/** Names of the pods that wait, once those that run from the start are there. */
async function placeFirst(live: LiveCluster, scenario: Scenario): Promise<string[]> {
  const placed = new Map<string, string>();
  for (const step of scenario.steps) {
    if (step.do !== 'force') break;
    if (live.nodeNames.includes(step.node) && !placed.has(step.pod)) placed.set(step.pod, step.node);
  }
  await Promise.all([...placed].map(([pod, node]) => live.addRunning(pod, node)));
  return scenario.pods
    .filter((pod) => !placed.has(nameOf(pod)) && pod.metadata?.deletionTimestamp == null)
    .map(nameOf)
    .slice(0, PENDING_MAX);
}

/** A pod of the API and the nodes that it may run on. */
interface Judged {
  readonly pod: Json;
  readonly feasible: readonly string[];
}

class DisagreementFound extends Error {
  constructor(readonly disagreement: Disagreement) {
    super('a pod is judged differently');
  }
}

class Trial {
  constructor(
    private readonly court: Court,
    private readonly live: LiveCluster,
    private readonly scenario: Scenario,
  ) {}

  /** Between two rounds some of the pods that have a place get one. */
  async run(names: readonly string[], random: Random): Promise<Disagreement | null> {
    let waiting = names;
    try {
      for (let round = 1; round <= ROUNDS && waiting.length > 0; round++) {
        const judged = await this.judgeAll(waiting);
        if (round < ROUNDS) waiting = await this.bindSome(judged, random);
      }
      return null;
    } catch (error) {
      if (error instanceof DisagreementFound) return error.disagreement;
      throw error;
    }
  }

  /** All at once: nothing is bound meanwhile, so that each is judged in the same cluster. */
  private async judgeAll(names: readonly string[]): Promise<Judged[]> {
    const created = await Promise.all(names.map((name) => this.live.addPending(name)));
    const heard = await Promise.all(
      created.filter((pod) => pod !== null).map(async (pod) => ({ pod, judgement: await this.hear(pod) })),
    );
    const bench = this.bench();
    const judged: Judged[] = [];
    for (const { pod, judgement } of heard) judged.push(await this.settle(pod, judgement, bench));
    return judged;
  }

  private async hear(pod: Json): Promise<Judgement> {
    const uid = pod['metadata'].uid as string;
    const { message } = await this.court.conditions.of(uid);
    return { feasible: this.court.extender.take(uid), message };
  }

  private bench(): Bench {
    const { options } = this.scenario;
    const cluster = this.live.asCluster();
    return {
      cluster,
      program: programJudge(cluster, options),
      oracle: oracleJudge(cluster, options),
    };
  }

  private async settle(pod: Json, scheduler: Judgement, bench: Bench, attempt = 1): Promise<Judged> {
    const { score } = this.court;
    const { cluster, program, oracle } = bench;
    const asked = pod as PodObject;
    const explanation = agree(bench, asked, scheduler) ? null : explain(bench, asked, scheduler);
    if (explanation === undefined) {
      if (attempt === ATTEMPTS_MAX) {
        const verdicts = { scheduler, program: program(asked), oracle: oracle(asked) };
        throw new DisagreementFound({ ...verdicts, pod: asked, cluster });
      }
      score.repeated++;
      await this.live.remove(pod);
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      const again = (await this.live.addPending(nameOf(asked)))!;
      return this.settle(again, await this.hear(again), this.bench(), attempt + 1);
    }
    if (explanation === null) score.count(scheduler.message, cluster.nodes.length);
    else score.excuse(explanation);
    return { pod, feasible: scheduler.feasible };
  }

  /** About half of those that may run somewhere do then, at one of these places. Returns the names of the others. */
  private async bindSome(judged: readonly Judged[], random: Random): Promise<string[]> {
    const left: string[] = [];
    for (const { pod, feasible } of judged) {
      if (feasible.length > 0 && random.chance(0.5)) {
        await this.live.bind(pod, random.pick(feasible));
      } else {
        await this.live.remove(pod);
        left.push(nameOf(pod));
      }
    }
    return left;
  }
}

/** Who else judges, and by what. */
interface Bench {
  readonly cluster: Cluster;
  readonly program: Judge;
  readonly oracle: Judge;
}

function agree({ program, oracle }: Bench, pod: PodObject, scheduler: Judgement): boolean {
  return [program(pod), oracle(pod)].every(
    ({ feasible, message }) => message === scheduler.message && feasible.join() === scheduler.feasible.join(),
  );
}

/** Name of the exception that explains a difference; undefined: none does. */
function explain(bench: Bench, pod: PodObject, scheduler: Judgement): string | undefined {
  return EXCEPTIONS.find((exception) => {
    const explanation = exception.explain(pod, bench.cluster, scheduler);
    if (explanation === null) return false;
    return explanation.judgedAs === null || agree(bench, explanation.judgedAs, scheduler);
  })?.name;
}
