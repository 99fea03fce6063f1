import type { Machine } from '../../world/machine.js';
import type { Project } from './project.js';
import type { ServerRecord } from './records.js';
import type { HetznerWorld } from './world.js';

const GIB = 1024 ** 3;

/** The machine behind a server, as kubelets and the cloud controller see it. */
export function machineOf(world: HetznerWorld, project: Project, server: ServerRecord): Machine {
  const type = world.serverType(server.typeName);
  const ipv4 = server.ipv4Id === null ? undefined : project.primaryIps.get(server.ipv4Id);
  return {
    providerId: `hcloud://${server.id}`,
    name: server.name.toLowerCase(),
    shape: {
      typeName: type.name,
      cpuCores: type.cores,
      memoryBytes: type.memoryGb * GIB,
      diskBytes: type.diskGb * GIB,
      arch: type.architecture === 'arm' ? 'arm64' : 'amd64',
    },
    region: server.locationName,
    zone: world.location(server.locationName).datacenter,
    labels: server.labels,
    userData: server.userData,
    privateIp: server.nics[0]?.ip ?? '',
    publicIp: ipv4?.ip ?? '',
  };
}
