import { FaultPlan, FaultyFront, MachineFleet } from '../../../src/sandbox/world/index.js';
import type {
  Front,
  FrontRequest,
  FrontResponse,
  Machine,
  WorldClock,
} from '../../../src/sandbox/world/index.js';

/** Tinycloud, simulated: it speaks the wire format and knows nothing of the adapter, not even its types. */

export const TOKEN = 'tiny-secret-token';
export const BOOT_MS = 20_000;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const SIZES = [
  { name: 'small', cpus: 2, memoryMib: 4096, diskGib: 40, pricePerHour: 0.01 },
  { name: 'large', cpus: 8, memoryMib: 16384, diskGib: 160, pricePerHour: 0.04 },
];

export interface MachineRecord {
  readonly id: string;
  readonly name: string;
  readonly size: string;
  readonly pool: string | null;
  readonly createdMs: number;
  status: 'booting' | 'running' | 'failed';
}

type Answer = readonly [status: number, body: object];

export class Tinycloud {
  readonly machines = new Map<string, MachineRecord>();
  readonly faults = new FaultPlan(() => 0);
  /** With faults in front. */
  readonly front: Front;
  readonly calls = { reads: 0, writes: 0 };
  /** Machines of a size that are left; absent means plenty. */
  readonly stock = new Map<string, number>();
  limit = Infinity;
  bootsFail = false;
  private serial = 0;

  constructor(
    private readonly clock: WorldClock,
    readonly fleet: MachineFleet = new MachineFleet(),
  ) {
    this.front = new FaultyFront({ handle: (request) => this.handle(request) }, this.faults, clock);
  }

  /** A machine that runs already. */
  seed(pool: string | null, size = 'small'): MachineRecord {
    const machine = this.create({ name: `${pool ?? 'foreign'}-seed-${this.serial}`, size, pool });
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
    const [status, body] = this.answer(request);
    const text = status === 204 ? '' : JSON.stringify(body);
    return Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body: text });
  }

  private answer({ method, path, headers, body }: FrontRequest): Answer {
    if (headers['authorization'] !== `Bearer ${TOKEN}`) return refused(401, 'unauthorized', 'no such token');
    const id = /^\/v1\/machines\/(.+)$/.exec(path)?.[1];
    switch (id === undefined ? `${method} ${path}` : `${method} one`) {
      case 'GET /v1/sizes':
        return [200, { sizes: SIZES }];
      case 'GET /v1/machines':
        return [200, { machines: [...this.machines.values()] }];
      case 'POST /v1/machines':
        return this.sell(JSON.parse(body) as { name: string; size: string; pool: string });
      case 'GET one':
        return this.find(id, (machine) => [200, machine]);
      case 'DELETE one':
        return this.find(id, (machine) => {
          this.remove(machine);
          return [204, {}];
        });
      default:
        return refused(404, 'no_such_path', `${method} ${path}`);
    }
  }

  private find(id: string | undefined, then: (machine: MachineRecord) => Answer): Answer {
    const machine = this.machines.get(id ?? '');
    return machine === undefined ? refused(404, 'not_found', 'there is no such machine') : then(machine);
  }

  private sell(order: { name: string; size: string; pool: string }): Answer {
    const left = this.stock.get(order.size) ?? Infinity;
    if (!SIZES.some(({ name }) => name === order.size)) return refused(400, 'unknown_size', order.size);
    if ([...this.machines.values()].some(({ name }) => name === order.name)) {
      return refused(409, 'name_taken', `there is a machine ${order.name}`);
    }
    if (this.machines.size >= this.limit) return refused(403, 'limit_reached', 'the account is full');
    if (left < 1) return refused(409, 'sold_out', `${order.size} is sold out`);
    this.stock.set(order.size, left - 1);
    const machine = this.create(order);
    this.clock.schedule(BOOT_MS, () => {
      if (!this.machines.has(machine.id)) return;
      if (this.bootsFail) machine.status = 'failed';
      else this.switchOn(machine);
    });
    return [201, machine];
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

/** What a kubelet sees of it. */
function hardwareOf({ id, name, size, pool }: MachineRecord): Machine {
  const { cpus, memoryMib, diskGib } = SIZES.find((known) => known.name === size)!;
  return {
    providerId: `tinycloud://${id}`,
    name,
    shape: {
      typeName: size,
      cpuCores: cpus,
      memoryBytes: memoryMib * MIB,
      diskBytes: diskGib * GIB,
      arch: 'amd64',
    },
    region: 'here',
    zone: 'here-1',
    labels: pool === null ? {} : { pool },
    userData: '',
    privateIp: '10.0.0.1',
    publicIp: '',
  };
}

function refused(status: number, code: string, message: string): Answer {
  return [status, { error: { code, message } }];
}
