import { apiError } from '../api/api-error.js';
import { BodyReader } from '../api/body-reader.js';
import { filterByLabels, filterByName, filterByValues } from '../api/listing.js';
import type { Answer, Call, Route } from '../api/router.js';
import { serverView } from '../api/server-view.js';
import { actionView } from '../api/views.js';
import type { ServerRecord } from '../state/records.js';
import { checkServerOrder } from './check-server-order.js';
import { byId } from './lookup.js';
import { readServerRequest, requireHostname } from './server-request.js';
import { BY_ID_NAME_CREATED } from './services.js';
import type { Services } from './services.js';

/** Label by which autoscalers mark their servers. */
const POOL_LABEL = 'hcloud/node-group';
/** Characters of a generated root password. */
const PASSWORD_LENGTH = 16;

export function serverRoutes(services: Services): readonly Route[] {
  return [
    { method: 'GET', path: '/servers', handler: (call) => listServers(services, call) },
    { method: 'POST', path: '/servers', handler: (call) => createServer(services, call) },
    { method: 'GET', path: '/servers/{id}', handler: (call) => getServer(services, call) },
    { method: 'PUT', path: '/servers/{id}', handler: (call) => updateServer(services, call) },
    { method: 'DELETE', path: '/servers/{id}', handler: (call) => deleteServer(services, call) },
  ];
}

function listServers(services: Services, call: Call): Answer {
  const { world } = services;
  const lagging = call.project.history.at(world.now() - world.settings.listLagMs);
  let servers = lagging ?? [...call.project.servers.values()];
  servers = servers.filter((server) => !world.faults.takeDroppedServer(server.id));
  servers = filterByLabels(call, filterByName(call, servers));
  servers = filterByValues(call, 'status', servers, (server) => server.status);
  const answer = services.page(call, {
    plural: 'servers',
    items: servers,
    render: (server) => serverView(world, call.project, server),
    sortable: BY_ID_NAME_CREATED,
  });
  if (answer.headers?.['link']?.includes('rel="next"') === true) world.faults.takePageShift(call.path);
  return answer;
}

function getServer(services: Services, call: Call): Answer {
  return answerServer(services, call, byId(call.project.servers, call.id, 'server'));
}

function createServer(services: Services, call: Call): Answer {
  const { world } = services;
  const request = readServerRequest(call.body, world.settings.strictFields);
  const order = checkServerOrder(world, call.project, request);
  const accepted = services.creation.accept(call.project, order);
  const nowMs = world.now();
  const body = {
    server: serverView(world, call.project, accepted.server),
    action: actionView(accepted.action, nowMs),
    next_actions: accepted.nextActions.map((action) => actionView(action, nowMs)),
    root_password: request.sshKeys.length === 0 ? world.texts.hex(PASSWORD_LENGTH) : null,
  };
  return { status: 201, body };
}

function updateServer(services: Services, call: Call): Answer {
  const server = byId(call.project.servers, call.id, 'server');
  const reader = new BodyReader(call.body);
  const name = reader.text('name');
  if (name !== undefined) requireHostname(reader.errors, name);
  const labels = call.body['labels'] === undefined ? null : reader.labels('labels');
  reader.errors.throwIfAny();
  if (name !== undefined) {
    const holder = call.project.serverByName(name);
    if (holder !== undefined && holder !== server) {
      throw apiError('uniqueness_error', 'server name is already used', { fields: [{ name: 'name' }] });
    }
    server.name = name;
  }
  if (labels !== null) server.labels = labels;
  call.project.history.note(server.id, server);
  return answerServer(services, call, server);
}

function deleteServer(services: Services, call: Call): Answer {
  const { world } = services;
  const server = byId(call.project.servers, call.id, 'server');
  const mayStillCreate = server.status === 'initializing' && world.settings.deleteWhileCreating;
  if (world.isLocked(server) && !mayStillCreate)
    throw apiError('locked', 'server is locked by another action');
  if (server.protection.delete) throw apiError('protected', 'server is protected from deletion');
  if (server.labels[POOL_LABEL] === undefined) call.project.noteUnlabelledDeletion(server.name);
  return services.answerAction(services.lifecycle.delete(call.project, server), 200);
}

function answerServer(services: Services, call: Call, server: ServerRecord): Answer {
  return { status: 200, body: { server: serverView(services.world, call.project, server) } };
}
