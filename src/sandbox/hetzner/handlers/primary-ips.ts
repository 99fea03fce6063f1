import { apiError, limitExceeded } from '../api/api-error.js';
import { BodyReader } from '../api/body-reader.js';
import { filterByLabels, filterByName, filterByValues } from '../api/listing.js';
import type { Answer, Call, Route } from '../api/router.js';
import { actionView, primaryIpView } from '../api/views.js';
import {
  assignPrimaryIp,
  createPrimaryIp,
  deletePrimaryIp,
  unassignPrimaryIp,
} from '../state/primary-ips.js';
import type { ActionRecord, PrimaryIpRecord, ServerRecord } from '../state/records.js';
import { byId, changeableServer, referenced } from './lookup.js';
import type { Services } from './services.js';

const SORTABLE = {
  id: (primaryIp: PrimaryIpRecord) => primaryIp.id,
  created: (primaryIp: PrimaryIpRecord) => primaryIp.createdMs,
};

export function primaryIpRoutes(services: Services): readonly Route[] {
  const path = '/primary_ips';
  return [
    { method: 'GET', path, handler: (call) => list(services, call) },
    { method: 'POST', path, handler: (call) => create(services, call) },
    { method: 'GET', path: `${path}/{id}`, handler: (call) => get(services, call) },
    { method: 'DELETE', path: `${path}/{id}`, handler: (call) => remove(services, call) },
    { method: 'POST', path: `${path}/{id}/actions/assign`, handler: (call) => assign(services, call) },
    { method: 'POST', path: `${path}/{id}/actions/unassign`, handler: (call) => unassign(services, call) },
  ];
}

function find(call: Call): PrimaryIpRecord {
  return byId(call.project.primaryIps, call.id, 'primary_ip');
}

function get(services: Services, call: Call): Answer {
  return { status: 200, body: { primary_ip: primaryIpView(services.world, find(call)) } };
}

function list(services: Services, call: Call): Answer {
  const primaryIps = filterByLabels(call, filterByName(call, [...call.project.primaryIps.values()]));
  return services.page(call, {
    plural: 'primary_ips',
    items: filterByValues(call, 'ip', primaryIps, (primaryIp) => primaryIp.ip),
    render: (primaryIp) => primaryIpView(services.world, primaryIp),
    sortable: SORTABLE,
  });
}

function create(services: Services, call: Call): Answer {
  const { world } = services;
  const { project } = call;
  const reader = new BodyReader(call.body);
  const name = reader.requiredText('name');
  const type = reader.requiredText('type');
  if (type !== 'ipv4' && type !== 'ipv6') reader.errors.add('type', 'Must be ipv4 or ipv6.');
  const labels = reader.labels('labels');
  const autoDelete = reader.flag('auto_delete', false);
  const assigneeId = reader.id('assignee_id');
  const locationReference = reader.reference('location');
  if (locationReference === null && assigneeId === null) {
    reader.errors.add('location', 'Missing data for required field.');
  }
  reader.errors.throwIfAny();
  const server = assigneeId === null ? null : requireAssignable(services, call, assigneeId);
  const locationName =
    server?.locationName ??
    referenced(world, world.catalogue.locations, locationReference ?? '', 'location').name;
  if ([...project.primaryIps.values()].some((primaryIp) => primaryIp.name === name)) {
    throw apiError('uniqueness_error', 'Primary IP name is already used', { fields: [{ name: 'name' }] });
  }
  if (project.primaryIps.size >= project.primaryIpQuota) {
    throw limitExceeded('primary_ips', 'Primary IP limit exceeded');
  }
  const ipType = type === 'ipv4' ? 'ipv4' : 'ipv6';
  if (server !== null) requireFreeSlot(ipType, server);
  const primaryIp = createPrimaryIp(world, project, { name, type: ipType, locationName, autoDelete, labels });
  const action = server === null ? null : assignTo(services, call, primaryIp, server);
  const shownAction = action === null ? null : actionView(action, world.now());
  return { status: 201, body: { primary_ip: primaryIpView(world, primaryIp), action: shownAction } };
}

function remove(services: Services, call: Call): Answer {
  const primaryIp = find(call);
  if (primaryIp.assigneeId !== null) throw apiError('must_be_unassigned', 'Primary IP is assigned');
  deletePrimaryIp(services.world, call.project, primaryIp);
  return { status: 204 };
}

function assign(services: Services, call: Call): Answer {
  const primaryIp = find(call);
  const reader = new BodyReader(call.body);
  const serverId = reader.requiredId('assignee_id');
  reader.errors.throwIfAny();
  const server = requireAssignable(services, call, serverId);
  if (primaryIp.assigneeId !== null) throw apiError('primary_ip_assigned', 'Primary IP is already assigned');
  if (primaryIp.locationName !== server.locationName) {
    throw apiError('primary_ip_datacenter_mismatch', 'Primary IP is in another location');
  }
  requireFreeSlot(primaryIp.type, server);
  return services.answerAction(assignTo(services, call, primaryIp, server));
}

function unassign(services: Services, call: Call): Answer {
  const primaryIp = find(call);
  if (primaryIp.assigneeId === null) throw apiError('service_error', 'Primary IP is not assigned');
  const server = requireAssignable(services, call, primaryIp.assigneeId);
  const action = services.lifecycle.change(call.project, server, 'unassign_primary_ip', () => {
    unassignPrimaryIp(primaryIp, server);
  });
  return services.answerAction(action);
}

/** Addresses change only while the server is off. */
function requireAssignable(services: Services, call: Call, serverId: number): ServerRecord {
  const server = changeableServer(services.world, call.project, serverId);
  if (server.status !== 'off') throw apiError('server_not_stopped', 'server is not off');
  return server;
}

function requireFreeSlot(type: 'ipv4' | 'ipv6', server: ServerRecord): void {
  const present = type === 'ipv4' ? server.ipv4Id : server.ipv6Id;
  if (present !== null) throw apiError('service_error', `server has a Primary IP of type ${type} already`);
}

function assignTo(
  services: Services,
  call: Call,
  primaryIp: PrimaryIpRecord,
  server: ServerRecord,
): ActionRecord {
  return services.lifecycle.change(call.project, server, 'assign_primary_ip', () =>
    assignPrimaryIp(primaryIp, server),
  );
}
