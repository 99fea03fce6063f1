import { RateLimit } from '../api/rate-limit.js';
import { defaultQuotas } from '../settings.js';
import type { Quotas } from '../settings.js';
import { ActionLog } from './action-log.js';
import { ServerHistory } from './server-history.js';
import type {
  FirewallRecord,
  ImageRecord,
  NetworkRecord,
  PlacementGroupRecord,
  PrimaryIpRecord,
  ServerRecord,
  SshKeyRecord,
  VolumeRecord,
} from './records.js';

/** Enough to see what went wrong. */
const UNLABELLED_DELETIONS_MAX = 100;

/** One tenant: its own resources, tokens, quotas and request budget. */
export class Project {
  readonly servers = new Map<number, ServerRecord>();
  readonly images = new Map<number, ImageRecord>();
  readonly networks = new Map<number, NetworkRecord>();
  readonly firewalls = new Map<number, FirewallRecord>();
  readonly sshKeys = new Map<number, SshKeyRecord>();
  readonly placementGroups = new Map<number, PlacementGroupRecord>();
  readonly primaryIps = new Map<number, PrimaryIpRecord>();
  readonly volumes = new Map<number, VolumeRecord>();
  readonly quotas: Quotas = defaultQuotas();
  readonly actions: ActionLog;
  readonly rateLimit: RateLimit;
  readonly history: ServerHistory;
  private readonly unlabelled: string[] = [];

  constructor(
    readonly id: string,
    now: () => number,
  ) {
    this.actions = new ActionLog(now);
    this.rateLimit = new RateLimit(now);
    this.history = new ServerHistory(now);
  }

  /** Names of servers without pool label that were deleted through the API, the first ones: nobody should have. */
  get unlabelledDeletions(): readonly string[] {
    return this.unlabelled;
  }

  noteUnlabelledDeletion(name: string): void {
    if (this.unlabelled.length < UNLABELLED_DELETIONS_MAX) this.unlabelled.push(name);
  }

  get primaryIpQuota(): number {
    return this.quotas.primaryIps ?? 2 * this.quotas.servers;
  }

  serverByName(name: string): ServerRecord | undefined {
    for (const server of this.servers.values()) if (server.name === name) return server;
    return undefined;
  }
}
