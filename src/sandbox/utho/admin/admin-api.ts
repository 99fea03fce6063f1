import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import { VirtualClock } from '../../world/virtual-clock.js';
import type { PoolSeed } from '../seed.js';
import { SWITCHES } from '../settings.js';
import type { PolicyStep } from '../account.js';
import { COUNT_MAX } from '../state/records.js';
import type { UthoCloud } from '../utho-cloud.js';
import { applyFaultDocument, UTHO_FAULTS } from './fault-documents.js';
import { Fields, objectOf, parseDocument } from './fields.js';
import type { Document } from './fields.js';
import { applyScenario, SCENARIOS } from './scenarios.js';
import { settingsFrom } from './settings-document.js';

interface Visit {
  readonly document: Document;
  readonly fields: Fields;
  readonly query: URLSearchParams;
  /** What stands for `{…}` in the path. */
  readonly name: string;
}

type Command = (visit: Visit) => unknown;

/** The world's own interface beside the API: `/_fake/…`, JSON, without keys. */
export class AdminApi implements Front {
  private readonly commands: Readonly<Record<string, Command>>;

  constructor(private readonly cloud: UthoCloud) {
    this.commands = {
      'GET /_fake': () => ({
        endpoints: Object.keys(this.commands),
        faults: UTHO_FAULTS,
        scenarios: Object.keys(SCENARIOS),
        switches: SWITCHES,
      }),
      ...this.observation(),
      ...this.control(),
      ...this.state(),
    };
  }

  async handle(request: FrontRequest): Promise<FrontResponse> {
    const headers = { 'content-type': 'application/json' };
    try {
      const result = await this.run(request);
      return { status: 200, headers, body: JSON.stringify(result ?? {}, replaceInfinity) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return {
        status: error instanceof NoSuchEndpoint ? 404 : 400,
        headers,
        body: JSON.stringify({ message }),
      };
    }
  }

  private run({ method, path, query, body }: FrontRequest): unknown {
    for (const [pattern, command] of Object.entries(this.commands)) {
      const match = new RegExp(`^${pattern.replace('{name}', '([^/]+)')}$`).exec(`${method} ${path}`);
      if (match === null) continue;
      const document = parseDocument(body);
      const name = decodeURIComponent(match[1] ?? '');
      return command({ document, fields: new Fields(document), query, name });
    }
    throw new NoSuchEndpoint('no such endpoint; GET /_fake lists all');
  }

  private observation(): Readonly<Record<string, Command>> {
    const { cloud } = this;
    const since = ({ query }: Visit): number => Number(query.get('since') ?? 0);
    return {
      'GET /_fake/state': () => ({
        nowMs: cloud.clock.now(),
        clusters: cloud.clusters().map((cluster) => ({ ...cluster, pools: [...cluster.pools.values()] })),
        settings: cloud.settings,
      }),
      'GET /_fake/requests': (visit) => ({ requests: cloud.calls({ sinceMs: since(visit) }) }),
      'GET /_fake/events': (visit) => ({
        events: cloud.events().filter(({ atMs }) => atMs >= since(visit)),
      }),
      'GET /_fake/invariants': () => ({ broken: cloud.invariants() }),
      'GET /_fake/faults': () => ({
        faults: cloud.faults.list().map(({ id, seen, hits }) => ({ id, seen, hits })),
      }),
    };
  }

  private control(): Readonly<Record<string, Command>> {
    const { cloud } = this;
    return {
      'POST /_fake/reset': ({ document, fields }) => {
        fields.allow(['seed', 'settings']);
        const settings = settingsFrom(objectOf(document['settings'] ?? {}, 'settings'));
        cloud.reset(fields.optionalText('seed'), settings);
      },
      'POST /_fake/clock/advance': ({ fields }) => this.advance(fields.number('ms')),
      'POST /_fake/settings': ({ document }) => cloud.configure(settingsFrom(document)),
      'POST /_fake/scenario': ({ fields }) => applyScenario(cloud, fields.text('name')),
      'POST /_fake/policy': ({ fields }) => cloud.playPolicy(fields.list('steps').map(policyStep)),
      'POST /_fake/faults': ({ document, fields }) => {
        const rules = fields.has('rules') ? fields.list('rules') : [document];
        for (const rule of rules) applyFaultDocument(cloud, rule);
      },
      'DELETE /_fake/faults': () => cloud.clearFaults(),
      'POST /_fake/tokens': ({ fields }) =>
        cloud.addToken(fields.allow(['value', 'name', 'writable', 'clusters']).text('value'), {
          ...(fields.has('name') && { name: fields.text('name') }),
          ...(fields.has('writable') && { writable: fields.flag('writable') }),
          ...(fields.has('clusters') && { clusters: fields.list('clusters').map(String) }),
        }),
      'DELETE /_fake/tokens/{name}': ({ name }) => cloud.revokeToken(name),
    };
  }

  private state(): Readonly<Record<string, Command>> {
    const { cloud } = this;
    return {
      'POST /_fake/clusters': ({ fields }) => {
        const names = ['id', 'label', 'version', 'dcslug', 'vpc'] as const;
        fields.allow(names);
        const present = names.filter((name) => fields.has(name));
        cloud.seedCluster(Object.fromEntries(present.map((name) => [name, fields.text(name)])));
      },
      'POST /_fake/clusters/{name}/power': ({ fields, name }) => {
        if (fields.word('to', ['on', 'off']) === 'on') cloud.startCluster(name);
        else cloud.stopCluster(name);
      },
      'DELETE /_fake/clusters/{name}': ({ name }) => cloud.destroyCluster(name),
      'POST /_fake/pools': ({ fields }) => void cloud.seedPool(poolSeed(fields)),
      'POST /_fake/pools/{name}': ({ fields, name }) => this.changePool(name, fields),
      'DELETE /_fake/pools/{name}': ({ name }) => cloud.removePool(name),
      'POST /_fake/workers/{name}': ({ fields, name }) => this.changeWorker(name, fields),
      'DELETE /_fake/workers/{name}': ({ name }) => cloud.destroyWorker(name),
    };
  }

  private async advance(ms: number): Promise<unknown> {
    const { clock } = this.cloud;
    if (!(clock instanceof VirtualClock)) throw new RangeError('this world has no virtual clock');
    await clock.advance(ms);
    return { nowMs: clock.now() };
  }

  private changePool(id: string, fields: Fields): void {
    const { cloud } = this;
    fields.allow(['autoScale', 'min', 'max', 'capacity', 'count', 'rename']);
    if (fields.has('autoScale')) cloud.setAutoScale(id, fields.flag('autoScale'));
    cloud.setBounds(id, bounds(fields));
    if (fields.has('capacity')) cloud.setCapacity(fields.word('capacity', SWITCHES.capacity), id);
    if (fields.has('count')) cloud.resizePool(id, fields.wholeNumber('count', COUNT_MAX));
    if (fields.has('rename')) cloud.renamePool(id, fields.text('rename'));
  }

  private changeWorker(cloudId: string, fields: Fields): void {
    fields.allow(['state', 'message', 'status', 'appStatus']);
    if (fields.has('state')) {
      const state = fields.word('state', ['active', 'failed']);
      if (state === 'active') this.cloud.activateWorker(cloudId);
      else this.cloud.failWorker(cloudId, fields.optionalText('message'));
    }
    if (!fields.has('status') && !fields.has('appStatus')) return;
    const status = fields.optionalText('status') ?? '';
    this.cloud.setWorkerWords(cloudId, { status, appStatus: fields.optionalText('appStatus') ?? '' });
  }
}

class NoSuchEndpoint extends Error {}

function poolSeed(fields: Fields): PoolSeed {
  fields.allow(['id', 'planId', 'autoScale', 'min', 'max', 'workers', 'count', 'capacity']);
  return {
    id: fields.text('id'),
    ...(fields.has('planId') && { planId: fields.text('planId') }),
    ...(fields.has('autoScale') && { autoScale: fields.flag('autoScale') }),
    ...(fields.has('capacity') && { capacity: fields.word('capacity', SWITCHES.capacity) }),
    ...bounds(fields),
    ...(fields.has('workers') && { workers: fields.wholeNumber('workers', COUNT_MAX) }),
    ...(fields.has('count') && { count: fields.wholeNumber('count', COUNT_MAX) }),
  };
}

/** Null: absent in answers. */
function bounds(fields: Fields): { min?: number | null; max?: number | null } {
  const min = fields.numberOrNull('min');
  const max = fields.numberOrNull('max');
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

function policyStep(step: unknown): PolicyStep {
  const fields = new Fields(objectOf(step, 'a step')).allow(['afterMs', 'pool', 'count', 'change']);
  if (fields.has('count') === fields.has('change')) throw new RangeError('a step has either count or change');
  return {
    afterMs: fields.number('afterMs'),
    pool: fields.text('pool'),
    ...(fields.has('count')
      ? { count: fields.wholeNumber('count', COUNT_MAX) }
      : { change: fields.number('change') }),
  };
}

/** JSON has no word for never. */
function replaceInfinity(_name: string, value: unknown): unknown {
  return value === Infinity ? null : value;
}
