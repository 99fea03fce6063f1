import { apiError, limitExceeded } from '../api/api-error.js';
import { BodyReader } from '../api/body-reader.js';
import { filterByLabels, filterByName, filterByValues } from '../api/listing.js';
import type { Answer, Call, Route } from '../api/router.js';
import { placementGroupView } from '../api/views.js';
import type { PlacementGroupRecord } from '../state/records.js';
import { byId } from './lookup.js';
import { BY_ID_NAME_CREATED } from './services.js';
import type { Services } from './services.js';

export function placementGroupRoutes(services: Services): readonly Route[] {
  const path = '/placement_groups';
  return [
    { method: 'GET', path, handler: (call) => list(services, call) },
    { method: 'POST', path, handler: (call) => create(services, call) },
    { method: 'GET', path: `${path}/{id}`, handler: (call) => answer(find(call)) },
    { method: 'PUT', path: `${path}/{id}`, handler: update },
    { method: 'DELETE', path: `${path}/{id}`, handler: remove },
  ];
}

function find(call: Call): PlacementGroupRecord {
  return byId(call.project.placementGroups, call.id, 'placement_group');
}

function answer(group: PlacementGroupRecord): Answer {
  return { status: 200, body: { placement_group: placementGroupView(group) } };
}

function list(services: Services, call: Call): Answer {
  const groups = filterByLabels(call, filterByName(call, [...call.project.placementGroups.values()]));
  return services.page(call, {
    plural: 'placement_groups',
    items: filterByValues(call, 'type', groups, () => 'spread'),
    render: placementGroupView,
    sortable: BY_ID_NAME_CREATED,
  });
}

function create(services: Services, call: Call): Answer {
  const reader = new BodyReader(call.body);
  const name = reader.requiredText('name');
  if (reader.requiredText('type') !== 'spread') reader.errors.add('type', 'Must be spread.');
  const labels = reader.labels('labels');
  reader.errors.throwIfAny();
  const { project } = call;
  requireFreeName(call, name, null);
  if (project.placementGroups.size >= project.quotas.placementGroups) {
    throw limitExceeded('placement_groups', 'placement group limit exceeded');
  }
  const id = services.world.nextId('placement-group');
  const group = { id, name, labels, createdMs: services.world.now(), members: new Set<number>() };
  project.placementGroups.set(id, group);
  return { status: 201, body: { placement_group: placementGroupView(group), action: null } };
}

function update(call: Call): Answer {
  const group = find(call);
  const reader = new BodyReader(call.body);
  const name = reader.text('name') ?? group.name;
  const labels = call.body['labels'] === undefined ? group.labels : reader.labels('labels');
  reader.errors.throwIfAny();
  requireFreeName(call, name, group);
  group.name = name;
  group.labels = labels;
  return answer(group);
}

/** Its members are released. */
function remove(call: Call): Answer {
  const group = find(call);
  for (const id of group.members) {
    const server = call.project.servers.get(id);
    if (server !== undefined) server.placementGroupId = null;
  }
  call.project.placementGroups.delete(group.id);
  return { status: 204 };
}

function requireFreeName(call: Call, name: string, itself: PlacementGroupRecord | null): void {
  for (const group of call.project.placementGroups.values()) {
    if (group.name !== name || group === itself) continue;
    throw apiError('uniqueness_error', 'placement group name is already used', {
      fields: [{ name: 'name' }],
    });
  }
}
