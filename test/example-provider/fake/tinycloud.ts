import { FaultPlan, FaultyFront, MachineFleet } from '../../../src/sandbox/world/index.js';
import type { Front, FrontRequest, FrontResponse, WorldClock } from '../../../src/sandbox/world/index.js';
import { SIZES, hardwareOf } from './hardware.js';
import type { MachineRecord } from './hardware.js';

export type { MachineRecord };

/** Tinycloud, simulated: it speaks the wire format and knows nothing of the adapter, not even its types. */

export const TOKEN = 'tiny-secret-token';
export const BOOT_MS = 20_000;
/** Machines in one answer. */
export const PAGE_SIZE = 50;

type Answer = readonly [status: number, body: object];

export class Tinycloud {
  readonly machines = new Map<string, MachineRecord>();
  /** Machine that each volume hangs on, by the volume's name; null: on none. */
  readonly volumes = new Map<string, string | null>();
  readonly faults = new FaultPlan(() => 0);
  /** With faults in front. */
  readonly front: Front;
  readonly calls = { reads: 0, writes: 0 };
  /** Machines of a size that are left; absent means plenty. */
  readonly stock = new Map<string, number>();
  /** Sizes that are sold no longer. */
  readonly withdrawn = new Set<string>();
  /** Machines that a snapshot is made of, and until when. */
  readonly lockedUntilMs = new Map<string, number>();
  limit = Infinity;
  bootMs = BOOT_MS;
  bootsFail = false;
  private serial = 0;

  constructor(
    private readonly clock: WorldClock,
    readonly fleet: MachineFleet = new MachineFleet(),
  ) {
    this.front = new FaultyFront({ handle: (request) => this.handle(request) }, this.faults, clock);
  }

  /** A machine that runs already. */
  seed(
    pool: string | null,
    size = 'small',
    name = `${pool ?? 'foreign'}-seed-${this.serial}`,
  ): MachineRecord {
    const machine = this.create({ name, size, pool });
    this.switchOn(machine);
    return machine;
  }

  /** As at the console. */
  remove(machine: MachineRecord): void {
    this.machines.delete(machine.id);
    this.fleet.remove(hardwareOf(machine));
  }

  private handle(request: FrontRequest): Promise<FrontResponse> {
    this.calls[request.method === 'GET' ? 'reads' : 'writes']++;
    return Promise.resolve(toResponse(this.answer(request)));
  }

  private answer({ method, path, query, headers, body }: FrontRequest): Answer {
    if (headers['authorization'] !== `Bearer ${TOKEN}`) return refused(401, 'unauthorized', 'no such token');
    const id = /^\/v1\/machines\/(.+)$/.exec(path)?.[1];
    switch (id === undefined ? `${method} ${path}` : `${method} one`) {
      case 'GET /v1/sizes':
        return [200, { sizes: SIZES.filter(({ name }) => !this.withdrawn.has(name)) }];
      case 'GET /v1/machines':
        return this.page(query.get('after'));
      case 'POST /v1/machines':
        return this.sell(JSON.parse(body) as { name: string; size: string; pool: string });
      case 'GET one':
        return this.find(id, (machine) => [200, machine]);
      case 'DELETE one':
        return this.find(id, (machine) => this.delete(machine, query.get('volumes') === 'keep'));
      default:
        return refused(404, 'no_such_path', `${method} ${path}`);
    }
  }

  /** In the order in which they were made. */
  private page(after: string | null): Answer {
    const rest = [...this.machines.values()].filter(({ id }) => serialOf(id) > serialOf(after ?? 'm-0'));
    return [200, { machines: rest.slice(0, PAGE_SIZE), more: rest.length > PAGE_SIZE }];
  }

  private find(id: string | undefined, then: (machine: MachineRecord) => Answer): Answer {
    const machine = this.machines.get(id ?? '');
    return machine === undefined ? refused(404, 'not_found', 'there is no such machine') : then(machine);
  }

  private sell(order: { name: string; size: string; pool: string }): Answer {
    const left = this.stock.get(order.size) ?? Infinity;
    const isSold = SIZES.some(({ name }) => name === order.size) && !this.withdrawn.has(order.size);
    if (!isSold) return refused(400, 'unknown_size', `there is no size ${order.size}`);
    if ([...this.machines.values()].some(({ name }) => name === order.name)) {
      return refused(409, 'name_taken', `there is a machine ${order.name}`);
    }
    if (this.machines.size >= this.limit) return refused(403, 'limit_reached', 'the account is full');
    if (left < 1) return refused(409, 'sold_out', `${order.size} is sold out`);
    this.stock.set(order.size, left - 1);
    const machine = this.create(order);
    this.clock.schedule(this.bootMs, () => {
      if (!this.machines.has(machine.id)) return;
      if (this.bootsFail) machine.status = 'failed';
      else this.switchOn(machine);
    });
    return [201, machine];
  }

  /** Volumes go with their machine unless the request says otherwise. */
  private delete(machine: MachineRecord, keepsVolumes: boolean): Answer {
    if ((this.lockedUntilMs.get(machine.id) ?? 0) > this.clock.now()) {
      return refused(423, 'locked', 'a snapshot is being made of it');
    }
    for (const [volume, machineId] of this.volumes) {
      if (machineId !== machine.id) continue;
      if (keepsVolumes) this.volumes.set(volume, null);
      else this.volumes.delete(volume);
    }
    this.remove(machine);
    return [204, {}];
  }

  private create(order: { name: string; size: string; pool: string | null }): MachineRecord {
    const id = `m-${++this.serial}`;
    const machine = { id, ...order, createdMs: this.clock.now(), status: 'booting' } as MachineRecord;
    this.machines.set(id, machine);
    return machine;
  }

  private switchOn(machine: MachineRecord): void {
    machine.status = 'running';
    this.fleet.powerOn(hardwareOf(machine));
  }
}

/** Errors that the cloud answers with, by code, whatever the reason. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  unauthorized: 401,
  limit_reached: 403,
  sold_out: 409,
  unknown_size: 400,
  slow_down: 429,
};

/** The answer for an error of this code. */
export function errorAnswer(code: string, retryAfterMs?: number): FrontResponse {
  const { headers, ...answer } = toResponse(refused(STATUS_BY_CODE[code] ?? 400, code, `it is so: ${code}`));
  if (retryAfterMs === undefined) return { headers, ...answer };
  return { ...answer, headers: { ...headers, 'retry-after': `${Math.ceil(retryAfterMs / 1_000)}` } };
}

function toResponse([status, body]: Answer): FrontResponse {
  const text = status === 204 ? '' : JSON.stringify(body);
  return { status, headers: { 'content-type': 'application/json' }, body: text };
}

function refused(status: number, code: string, message: string): Answer {
  return [status, { error: { code, message } }];
}

function serialOf(id: string): number {
  return Number(id.slice('m-'.length));
}
