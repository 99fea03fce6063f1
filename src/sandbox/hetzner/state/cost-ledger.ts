import type { ServerRecord } from './records.js';

const HOUR_MS = 3_600_000;
/** Closed entries kept one by one; older ones live on in the total. */
const CLOSED_MAX = 10_000;

export interface CostEntry {
  readonly serverId: number;
  readonly name: string;
  readonly typeName: string;
  readonly locationName: string;
  readonly hourlyEur: number;
  readonly fromMs: number;
  /** Null: still billed. */
  readonly toMs: number | null;
}

/** What the servers cost: every hour begun, running or not, from acceptance to removal. */
export class CostLedger {
  private readonly open = new Map<number, CostEntry>();
  private readonly closed: CostEntry[] = [];
  private forgottenEur = 0;

  constructor(private readonly now: () => number) {}

  begin(server: ServerRecord, hourlyEur: number): void {
    this.open.set(server.id, {
      serverId: server.id,
      name: server.name,
      typeName: server.typeName,
      locationName: server.locationName,
      hourlyEur,
      fromMs: this.now(),
      toMs: null,
    });
  }

  end(serverId: number): void {
    const entry = this.open.get(serverId);
    if (entry === undefined) return;
    this.open.delete(serverId);
    this.closed.push({ ...entry, toMs: this.now() });
    if (this.closed.length > CLOSED_MAX) this.forgottenEur += this.costOf(this.closed.shift()!);
  }

  entries(): readonly CostEntry[] {
    return [...this.closed, ...this.open.values()];
  }

  totalEur(): number {
    return this.entries().reduce((sum, entry) => sum + this.costOf(entry), this.forgottenEur);
  }

  costOf(entry: CostEntry): number {
    const hours = Math.ceil(((entry.toMs ?? this.now()) - entry.fromMs) / HOUR_MS);
    return Math.max(1, hours) * entry.hourlyEur;
  }
}
