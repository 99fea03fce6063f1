import type { ServerRecord } from './records.js';

/** Versions kept of one server; far more than a server changes within any lag that makes sense. */
const VERSIONS_MAX = 100;

interface Version {
  readonly sinceMs: number;
  /** Null: it did not exist. */
  readonly server: ServerRecord | null;
}

/** Former states of servers, for lists that lag. Costs nothing while no lag is set. */
export class ServerHistory {
  private versions: Map<number, Version[]> | null = null;

  constructor(private readonly now: () => number) {}

  /** Begins to remember; the servers as they are now count as having always been so. */
  start(servers: Iterable<ServerRecord>): void {
    if (this.versions !== null) return;
    this.versions = new Map();
    for (const server of servers) {
      this.versions.set(server.id, [{ sinceMs: -Infinity, server: structuredClone(server) }]);
    }
  }

  stop(): void {
    this.versions = null;
  }

  note(id: number, server: ServerRecord | null): void {
    if (this.versions === null) return;
    const versions = this.versions.get(id) ?? [];
    versions.push({ sinceMs: this.now(), server: server === null ? null : structuredClone(server) });
    if (versions.length > VERSIONS_MAX) versions.shift();
    this.versions.set(id, versions);
  }

  /** The servers of that time; null if nothing is remembered. */
  at(timeMs: number): readonly ServerRecord[] | null {
    if (this.versions === null) return null;
    const servers: ServerRecord[] = [];
    for (const versions of this.versions.values()) {
      const version = versions.findLast((one) => one.sinceMs <= timeMs);
      if (version?.server != null) servers.push(version.server);
    }
    return servers;
  }
}
