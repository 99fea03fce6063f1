import type { FaultAction, FaultMatch, FaultPlan, WorldClock } from '../../world/index.js';
import type { HetznerCloud } from '../../hetzner/index.js';
import type { AnswerDocument } from '../format/answers.js';
import type { CloudDocument, CloudTypeDocument } from '../format/cloud-shape.js';
import type { GroupMachines } from './machines.js';

const LOCATIONS_DEFAULT = ['fsn1', 'nbg1', 'hel1'];
const DISK_GB_DEFAULT = 40;
const SERVERS_DEFAULT = 10_000;
const EXACTLY = (meanMs: number) => ({ meanMs, spreadMs: 0 });

/** How machines bought from now on become nodes; null: never. */
export type JoinTimes = Map<string, number | null>;

/** Makes the simulated cloud do what a story says. */
export class CloudScript {
  /** By group. */
  readonly joinTimes: JoinTimes = new Map();

  constructor(
    private readonly cloud: HetznerCloud,
    private readonly clock: WorldClock,
    private readonly machinesOf: (group: string) => GroupMachines | undefined,
  ) {
    cloud.setQuotas({ servers: SERVERS_DEFAULT });
  }

  /** Types must be there before the machines of groups are. */
  sellTypes({ types }: CloudDocument): void {
    for (const [name, type] of types ?? []) this.sellType(name, type);
  }

  apply(change: CloudDocument): void {
    if (change.healthy === true) this.heal();
    for (const [key, count] of change.stock ?? []) {
      for (const [typeName, location] of this.shelves(key)) {
        this.cloud.setStock(typeName, location, count === 'plenty' ? Infinity : count);
      }
    }
    for (const [group, join] of change.boots ?? []) this.joinTimes.set(group, join === 'never' ? null : join);
    for (const { command, is, times } of change.actions ?? []) {
      if (is === 'stuck') this.cloud.behaviour.stickActions(command, times);
      else this.cloud.behaviour.failActions(command, { code: is, message: is }, times);
    }
    for (const answer of change.answers ?? []) this.answer(answer);
    const { timings } = this.cloud.settings;
    if (change.createTakes !== undefined) timings.createServer = EXACTLY(change.createTakes);
    if (change.deleteTakes !== undefined) timings.deleteServer = EXACTLY(change.deleteTakes);
    if (change.listLag !== undefined) this.cloud.setListLag(change.listLag);
    if (change.rateLimit !== undefined) this.cloud.setRateLimit(change.rateLimit);
    if (change.serverQuota !== undefined) this.cloud.setQuotas({ servers: change.serverQuota });
  }

  private heal(): void {
    this.cloud.faults.clear();
    this.cloud.behaviour.clear();
    this.joinTimes.clear();
    for (const { name, offers } of this.cloud.world.catalogue.serverTypes) {
      for (const location of offers.keys()) this.cloud.setStock(name, location, Infinity);
    }
  }

  private shelves(key: string): readonly (readonly [string, string])[] {
    const [typeName, location] = key.split('@');
    if (location !== undefined) return [[typeName!, location]];
    const machines = this.machinesOf(key);
    return machines === undefined ? [] : [[machines.typeName, machines.location]];
  }

  private sellType(
    name: string,
    { cpu, mem, disk = DISK_GB_DEFAULT, price, locations }: CloudTypeDocument,
  ): void {
    const offers: NonNullable<CloudTypeDocument['locations']> =
      locations ?? new Map(LOCATIONS_DEFAULT.map((location) => [location, {}]));
    const type = this.cloud.addServerType({
      ...{ name, cores: cpu, memoryGb: mem, diskGb: disk, locations: [...offers.keys()] },
      ...(price !== undefined && { hourlyEur: price }),
    });
    for (const [location, { available, endsIn }] of offers) {
      const offer = type.offers.get(location)!;
      if (available !== undefined) offer.pinnedAvailability = available;
      if (endsIn === undefined) continue;
      const now = this.clock.now();
      offer.deprecation = { announcedMs: now, unavailableAfterMs: now + endsIn };
    }
  }

  private answer(answer: AnswerDocument): void {
    const action = actionOf(answer, (code, status) =>
      this.cloud.errorAnswer(code ?? 'service_error', status),
    );
    addAnswer(this.cloud.faults, this.clock, answer, { match: cloudMatch(answer), action });
  }
}

/** Arms one scripted answer, and disarms it when its time is over. */
export function addAnswer(
  plan: FaultPlan,
  clock: WorldClock,
  { times, after, for: forMs }: AnswerDocument,
  rule: { readonly match: FaultMatch; readonly action: FaultAction },
): void {
  const id = plan.add({
    ...rule,
    ...(times !== undefined && { times }),
    ...(after !== undefined && { after }),
  });
  if (forMs !== undefined) clock.schedule(forMs, () => void plan.remove(id));
}

type ErrorAnswer = { readonly status: number; readonly body: string };

export function actionOf(
  { is }: AnswerDocument,
  errorAnswer: (code: string | null, status: number | null) => ErrorAnswer,
): FaultAction {
  switch (is.kind) {
    case 'lost':
      return { kind: 'cut-after' };
    case 'refused':
      return { kind: 'cut-before' };
    case 'silence':
      return { kind: 'drop' };
    case 'slow':
      return { kind: 'delay', ms: is.ms };
    case 'error':
      return { kind: 'answer', ...errorAnswer(is.code, is.status) };
  }
}

const PATHS: Readonly<Record<string, FaultMatch>> = {
  create: { method: 'POST', path: /^\/v1\/servers$/u },
  delete: { method: 'DELETE', path: /^\/v1\/servers\// },
  list: { method: 'GET', path: /^\/v1\/servers$/u },
  types: { method: 'GET', path: /^\/v1\/server_types/u },
  actions: { method: 'GET', path: /^\/v1\/actions/u },
  any: { path: /^\/v1\// },
};

function cloudMatch({ to, group }: AnswerDocument): FaultMatch {
  const [method, path] = to.split(' ');
  const match = PATHS[to] ?? { method: method!, path: `/v1${path!}` };
  return group === undefined ? match : { ...match, when: ({ body }) => namesGroup(body, group) };
}

/** Whether a creation is for this group: its label stands in the body. */
export function namesGroup(body: string, group: string): boolean {
  return body.includes(JSON.stringify(group));
}
