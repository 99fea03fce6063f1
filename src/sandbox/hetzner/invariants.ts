import type { RecordedCall } from './api/journal.js';
import { GROUP_MEMBERS_MAX } from './settings.js';
import type { Project } from './state/project.js';
import type { HetznerWorld } from './state/world.js';

/** What must always hold (`hetzner` 4.12). Returns a sentence for each breach. */
export function brokenInvariants(world: HetznerWorld, calls: readonly RecordedCall[]): readonly string[] {
  const breaches = calls
    .filter((call) => call.unimplemented)
    .map((call) => `${call.method} ${call.path} is not implemented by the simulated API`);
  for (const project of world.projects.values()) breaches.push(...brokenIn(project));
  return breaches;
}

function brokenIn(project: Project): readonly string[] {
  const breaches: string[] = [];
  const names = new Set<string>();
  const addresses = new Set<string>();
  for (const server of project.servers.values()) {
    if (names.has(server.name)) breaches.push(`two servers are named ${server.name}`);
    names.add(server.name);
    for (const nic of server.nics) {
      const address = `${nic.ip} in network ${nic.networkId}`;
      if (addresses.has(address)) breaches.push(`two servers have ${address}`);
      addresses.add(address);
    }
  }
  for (const group of project.placementGroups.values()) {
    if (group.members.size > GROUP_MEMBERS_MAX) breaches.push(`placement group ${group.name} is too large`);
  }
  if (project.servers.size > project.quotas.servers) breaches.push('more servers than the quota allows');
  for (const name of project.unlabelledDeletions)
    breaches.push(`server ${name} had no pool label and was deleted`);
  return breaches;
}
