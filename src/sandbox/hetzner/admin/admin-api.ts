import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import { VirtualClock } from '../../world/virtual-clock.js';
import { ApiError, apiError } from '../api/api-error.js';
import { BodyReader, parseBody } from '../api/body-reader.js';
import { serverView } from '../api/server-view.js';
import type { HetznerCloud } from '../hetzner-cloud.js';
import { changedSettings } from '../settings.js';
import type { SettingsChange } from '../settings.js';
import type { ServerStatus } from '../state/records.js';
import { applyFaultDocument } from './fault-documents.js';
import { applyScenario } from './scenarios.js';

type Command = (reader: BodyReader, request: FrontRequest) => unknown;

/** Statuses that the admin interface may set. */
const SETTABLE: readonly ServerStatus[] = ['running', 'off', 'migrating', 'rebuilding', 'unknown'];

/** The world's own interface beside the API: `/_fake/…`, JSON, without tokens (`hetzner` 4.12). */
export class AdminApi implements Front {
  private readonly commands: Readonly<Record<string, Command>>;

  constructor(private readonly cloud: HetznerCloud) {
    this.commands = {
      'GET /_fake/state': () => this.state(),
      'GET /_fake/requests': (_reader, request) => this.requests(request),
      'GET /_fake/cost': () => this.cost(),
      'GET /_fake/invariants': () => ({ broken: cloud.invariants() }),
      'POST /_fake/reset': (reader) => this.reset(reader),
      'POST /_fake/clock/advance': (reader) => this.advance(reader),
      'POST /_fake/stock': (reader) => this.stock(reader),
      'POST /_fake/locations': (reader) => this.location(reader),
      'POST /_fake/quota': (_reader, request) => cloud.setQuotas(parseBody(request.body)),
      'POST /_fake/settings': (_reader, request) => this.configure(parseBody(request.body)),
      'POST /_fake/ratelimit': (reader) => this.rateLimit(reader),
      'POST /_fake/faults': (reader) => this.addFaults(reader),
      'DELETE /_fake/faults': () => this.clearFaults(),
      'POST /_fake/scenario': (reader) => applyScenario(this.cloud, reader.requiredText('name')),
    };
  }

  async handle(request: FrontRequest): Promise<FrontResponse> {
    try {
      const reader = new BodyReader(parseBody(request.body));
      const result = (await this.find(request)(reader, request)) ?? {};
      reader.errors.throwIfAny();
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(result) };
    } catch (error) {
      const known = error instanceof ApiError ? error : refusal(error);
      return { status: known.status, headers: { 'content-type': 'application/json' }, body: known.toBody() };
    }
  }

  private find(request: FrontRequest): Command {
    const status = /^\/_fake\/servers\/(\d+)\/status$/.exec(request.path);
    if (status !== null && request.method === 'POST')
      return (reader) => this.serverStatus(Number(status[1]), reader);
    const key = `${request.method} ${request.path}`;
    const command = Object.hasOwn(this.commands, key) ? this.commands[key] : undefined;
    if (command === undefined) throw apiError('not_found', 'no such endpoint');
    return command;
  }

  private state(): unknown {
    const project = this.cloud.project();
    return {
      nowMs: this.cloud.clock.now(),
      servers: this.cloud.servers().map((server) => serverView(this.cloud.world, project, server)),
      quotas: project.quotas,
      settings: this.cloud.settings,
      faults: this.cloud.faults.list().map(({ id, seen, hits }) => ({ id, seen, hits })),
    };
  }

  private requests(request: FrontRequest): unknown {
    return { requests: this.cloud.calls({ sinceMs: Number(request.query.get('since') ?? 0) }) };
  }

  private cost(): unknown {
    const { ledger } = this.cloud;
    const entries = ledger.entries().map((entry) => ({ ...entry, costEur: ledger.costOf(entry) }));
    return { totalEur: ledger.totalEur(), entries };
  }

  private reset(reader: BodyReader): void {
    const seed = reader.reference('seed') ?? undefined;
    const settings = reader.object('config') as SettingsChange;
    reader.errors.throwIfAny();
    this.cloud.reset(seed, settings);
  }

  private async advance(reader: BodyReader): Promise<unknown> {
    const ms = this.number(reader, 'ms');
    const { clock } = this.cloud;
    if (!(clock instanceof VirtualClock)) throw apiError('conflict', 'this world has no virtual clock');
    await clock.advance(ms);
    return { nowMs: clock.now() };
  }

  /** `count` null: without end. */
  private stock(reader: BodyReader): void {
    const type = reader.requiredText('type');
    const location = reader.requiredText('location');
    const count = reader.id('count');
    reader.errors.throwIfAny();
    this.cloud.setStock(type, location, count ?? Infinity);
  }

  private location(reader: BodyReader): void {
    const location = reader.requiredText('location');
    const closed = reader.flag('closed', true);
    reader.errors.throwIfAny();
    this.cloud.setLocationClosed(location, closed);
  }

  private configure(change: SettingsChange): void {
    Object.assign(this.cloud.settings, changedSettings(this.cloud.settings, change));
    this.cloud.setListLag(this.cloud.settings.listLagMs);
  }

  private rateLimit(reader: BodyReader): void {
    const limit = this.number(reader, 'limit');
    this.cloud.setRateLimit(limit, reader.id('remaining') ?? undefined);
    const background = reader.id('background_per_minute');
    if (background !== null) this.cloud.project().rateLimit.setBackgroundUse(background);
  }

  private addFaults(reader: BodyReader): void {
    for (const rule of reader.list('rules')) applyFaultDocument(this.cloud, rule);
  }

  private clearFaults(): void {
    this.cloud.faults.clear();
    this.cloud.behaviour.clear();
  }

  private serverStatus(id: number, reader: BodyReader): void {
    const wanted = reader.requiredText('status');
    const status = SETTABLE.find((one) => one === wanted);
    if (status === undefined) reader.errors.add('status', `Must be one of ${SETTABLE.join(', ')}.`);
    reader.errors.throwIfAny();
    if (status !== undefined) this.cloud.setServerStatus(id, status);
  }

  private number(reader: BodyReader, field: string): number {
    const value = reader.requiredId(field);
    reader.errors.throwIfAny();
    return value;
  }
}

function refusal(error: unknown): ApiError {
  return apiError('invalid_input', error instanceof Error ? error.message : String(error));
}
