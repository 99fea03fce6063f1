import { apiError, notFound } from '../api/api-error.js';
import { filterByValues } from '../api/listing.js';
import type { Answer, Call, Route } from '../api/router.js';
import { actionView } from '../api/views.js';
import type { ActionRecord } from '../state/records.js';
import { byId } from './lookup.js';
import type { Services } from './services.js';

const SORTABLE = {
  id: (action: ActionRecord) => action.id,
  command: (action: ActionRecord) => action.command,
  status: (action: ActionRecord) => action.status,
  started: (action: ActionRecord) => action.startedMs,
  finished: (action: ActionRecord) => action.finishedMs ?? Infinity,
};

export function actionRoutes(services: Services): readonly Route[] {
  return [
    { method: 'GET', path: '/actions', handler: (call) => listActions(services, call) },
    { method: 'GET', path: '/actions/{id}', handler: (call) => getAction(services, call) },
    { method: 'GET', path: '/servers/{id}/actions', handler: (call) => listServerActions(services, call) },
  ];
}

/** Only by ids, since January 2025; unknown ones are simply missing. */
function listActions(services: Services, call: Call): Answer {
  const ids = call.query.getAll('id').filter((id) => id !== '');
  if (ids.length === 0) {
    const details = { announcement: 'https://docs.hetzner.cloud/changelog' };
    throw apiError('deprecated_api_endpoint', 'listing all actions is not available any more', details);
  }
  const actions = [...new Set(ids)]
    .map((id) => call.project.actions.get(Number(id)))
    .filter((action): action is ActionRecord => action !== null)
    .filter((action) => !services.world.faults.takeHiddenAction(action.id));
  return answer(services, call, actions);
}

function getAction(services: Services, call: Call): Answer {
  const action = call.project.actions.get(call.id);
  if (action === null) throw notFound('action', call.id);
  return services.answerAction(action, 200);
}

function listServerActions(services: Services, call: Call): Answer {
  byId(call.project.servers, call.id, 'server');
  return answer(services, call, call.project.actions.ofResource('server', call.id));
}

function answer(services: Services, call: Call, actions: readonly ActionRecord[]): Answer {
  return services.page(call, {
    plural: 'actions',
    items: filterByValues(call, 'status', actions, (action) => action.status),
    render: (action) => actionView(action, services.world.now()),
    sortable: SORTABLE,
  });
}
