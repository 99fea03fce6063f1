import type { Labels } from './api/labels.js';
import { assignPrimaryIp, createPrimaryIp } from './state/primary-ips.js';
import { reserveAddress } from './state/private-network.js';
import type { Project } from './state/project.js';
import type { ServerRecord, ServerStatus } from './state/records.js';
import type { ServerLifecycle } from './state/server-lifecycle.js';
import type { HetznerWorld } from './state/world.js';

/** A server that exists from the beginning, or that somebody else made. */
export interface ServerSeed {
  readonly name: string;
  readonly id?: number;
  /** Default `cx33`. */
  readonly type?: string;
  /** Default `fsn1`. */
  readonly location?: string;
  readonly labels?: Labels;
  /** Default `running`. */
  readonly status?: ServerStatus;
  readonly imageId?: number | null;
  readonly userData?: string;
  /** Ids of networks in which it has an address. */
  readonly networks?: readonly number[];
  /** Deletion protection. */
  readonly protected?: boolean;
  /** Default now. */
  readonly createdMs?: number;
  /** Default true: kubelets see its machine while it runs. */
  readonly announced?: boolean;
}

export function seedServer(
  world: HetznerWorld,
  lifecycle: ServerLifecycle,
  project: Project,
  seed: ServerSeed,
): ServerRecord {
  const type = world.serverType(seed.type ?? 'cx33');
  const location = world.location(seed.location ?? 'fsn1');
  const isProtected = seed.protected === true;
  const server: ServerRecord = {
    id: seed.id ?? world.nextId('server'),
    name: seed.name,
    status: seed.status ?? 'running',
    labels: seed.labels ?? {},
    createdMs: seed.createdMs ?? world.now(),
    typeName: type.name,
    locationName: location.name,
    imageId: seed.imageId ?? null,
    userData: seed.userData ?? '',
    ipv4Id: null,
    ipv6Id: null,
    nics: [],
    firewalls: new Map(),
    placementGroupId: null,
    protection: { delete: isProtected, rebuild: isProtected },
    volumeIds: [],
    locks: new Set(),
    foreignLockUntilMs: 0,
    ignoresShutdown: false,
    nodeNeverRegisters: seed.announced === false,
    holdsStock: false,
  };
  project.servers.set(server.id, server);
  for (const type of ['ipv4', 'ipv6'] as const) {
    const order = { name: null, type, locationName: location.name, autoDelete: true, labels: {} };
    assignPrimaryIp(createPrimaryIp(world, project, order), server);
  }
  for (const id of seed.networks ?? []) {
    const network = project.networks.get(id);
    if (network === undefined) throw new Error(`project ${project.id} has no network ${id}`);
    server.nics.push(reserveAddress(network, location, server.id));
  }
  world.ledger.begin(server, type.hourlyEur.get(location.name) ?? 0);
  project.history.note(server.id, server);
  if (server.status === 'running') lifecycle.announce(project, server);
  return server;
}

/** The servers of appendix A that no autoscaler may touch. */
export const STATIC_SERVERS: readonly ServerSeed[] = [
  ...[1, 2, 3].map((number) => ({
    name: `control-plane-${number}`,
    id: 71_000_010 + number,
    protected: true,
    networks: [5500],
  })),
  // Its name looks like the id of another server.
  { name: '71000099', id: 71_000_050 },
];
