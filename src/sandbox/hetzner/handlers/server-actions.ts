import { apiError, invalidInput, limitExceeded } from '../api/api-error.js';
import { BodyReader } from '../api/body-reader.js';
import type { Answer, Call, Route } from '../api/router.js';
import { GROUP_MEMBERS_MAX } from '../settings.js';
import { membersOf, networksOf } from '../state/private-network.js';
import type { ActionRecord, ServerRecord } from '../state/records.js';
import { changeableServer, referenced } from './lookup.js';
import type { Services } from './services.js';

type Step = (services: Services, call: Call, server: ServerRecord) => ActionRecord;

const STEPS: Readonly<Record<string, Step>> = {
  poweron: powerOn,
  poweroff: (services, call, server) => services.lifecycle.powerOff(call.project, server),
  shutdown: (services, call, server) => services.lifecycle.shutdown(call.project, server),
  reboot: (services, call, server) => services.lifecycle.reboot(call.project, server),
  attach_to_network: attachToNetwork,
  detach_from_network: detachFromNetwork,
  add_to_placement_group: addToPlacementGroup,
  remove_from_placement_group: removeFromPlacementGroup,
  change_protection: changeProtection,
};

/** `POST /servers/{id}/actions/…`: each answers 201 with an action, and 423 while the server is locked. */
export function serverActionRoutes(services: Services): readonly Route[] {
  return Object.entries(STEPS).map(([name, step]) => ({
    method: 'POST',
    path: `/servers/{id}/actions/${name}`,
    handler: (call: Call): Answer => {
      const server = changeableServer(services.world, call.project, call.id);
      return services.answerAction(step(services, call, server));
    },
  }));
}

function powerOn(services: Services, call: Call, server: ServerRecord): ActionRecord {
  if (server.status === 'running' && services.world.settings.powerOnWhileRunningFails) {
    throw apiError('service_error', 'server is running already');
  }
  if (server.ipv4Id === null && server.ipv6Id === null && server.nics.length === 0) {
    throw invalidInput('public_net', 'A server needs a public address or a network.');
  }
  return services.lifecycle.powerOn(call.project, server);
}

function attachToNetwork(services: Services, call: Call, server: ServerRecord): ActionRecord {
  const reader = new BodyReader(call.body);
  const id = reader.requiredId('network');
  const wish = { ip: reader.text('ip'), ipRange: reader.text('ip_range') };
  reader.errors.throwIfAny();
  const { project } = call;
  const network = referenced(services.world, project.networks.values(), id, 'network');
  if (membersOf(network).has(server.id)) {
    throw apiError('server_already_attached', 'server is already attached to the network');
  }
  if (networksOf(project.networks.values(), server).length >= project.quotas.networksPerServer) {
    throw limitExceeded('networks_per_server', 'network limit of the server exceeded');
  }
  if (membersOf(network).size >= project.quotas.serversPerNetwork) {
    throw limitExceeded('servers_per_network', 'server limit of the network exceeded');
  }
  return services.lifecycle.attach(project, server, network, wish);
}

function detachFromNetwork(services: Services, call: Call, server: ServerRecord): ActionRecord {
  const reader = new BodyReader(call.body);
  const id = reader.requiredId('network');
  reader.errors.throwIfAny();
  const network = referenced(services.world, call.project.networks.values(), id, 'network');
  if (!membersOf(network).has(server.id))
    throw invalidInput('network', 'server is not attached to the network');
  return services.lifecycle.detach(call.project, server, network);
}

function addToPlacementGroup(services: Services, call: Call, server: ServerRecord): ActionRecord {
  const reader = new BodyReader(call.body);
  const id = reader.requiredId('placement_group');
  reader.errors.throwIfAny();
  const group = referenced(services.world, call.project.placementGroups.values(), id, 'placement_group');
  if (server.status !== 'off') throw apiError('server_not_stopped', 'server is not off');
  if (server.placementGroupId !== null) {
    throw invalidInput('placement_group', 'server is in a placement group already');
  }
  if (group.members.size >= GROUP_MEMBERS_MAX) {
    throw apiError(
      'service_error',
      `placement group ${group.id} contains already ${GROUP_MEMBERS_MAX} servers`,
    );
  }
  group.members.add(server.id);
  server.placementGroupId = group.id;
  return services.lifecycle.change(call.project, server, 'add_to_placement_group', () => undefined);
}

function removeFromPlacementGroup(services: Services, call: Call, server: ServerRecord): ActionRecord {
  const groupId = server.placementGroupId;
  if (groupId === null) throw invalidInput('placement_group', 'server is in no placement group');
  return services.lifecycle.change(call.project, server, 'remove_from_placement_group', () => {
    call.project.placementGroups.get(groupId)?.members.delete(server.id);
    server.placementGroupId = null;
  });
}

function changeProtection(services: Services, call: Call, server: ServerRecord): ActionRecord {
  const reader = new BodyReader(call.body);
  const protectDelete = reader.flag('delete', server.protection.delete);
  const protectRebuild = reader.flag('rebuild', server.protection.rebuild);
  if (protectDelete !== protectRebuild) reader.errors.add('rebuild', 'Must be equal to delete.');
  reader.errors.throwIfAny();
  return services.lifecycle.change(call.project, server, 'change_protection', () => {
    server.protection.delete = protectDelete;
    server.protection.rebuild = protectRebuild;
  });
}
