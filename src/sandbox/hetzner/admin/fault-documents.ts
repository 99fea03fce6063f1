import { faultRuleFrom } from '../../world/fault-document.js';
import { apiError } from '../api/api-error.js';
import { BodyReader } from '../api/body-reader.js';
import type { JsonObject } from '../api/body-reader.js';
import type { HetznerCloud } from '../hetzner-cloud.js';

const POOL_LABEL = 'hcloud/node-group';

type Effect = (cloud: HetznerCloud, action: BodyReader, times: number | undefined) => void;

/** Faults inside the cloud, by their names in documents (`hetzner` 4.9). */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'action-error': (cloud, action, times) => {
    const error = { code: action.requiredText('code'), message: action.text('message') ?? 'Action failed' };
    cloud.behaviour.failActions(action.requiredText('command'), error, times);
  },
  'action-stuck': (cloud, action, times) =>
    cloud.behaviour.stickActions(action.requiredText('command'), times),
  'action-missing': (cloud, action, times) => cloud.behaviour.hideAction(action.id('id'), times ?? 1),
  'stale-list': (cloud, action) => cloud.setListLag(action.requiredId('ms')),
  'drop-from-list': (cloud, action, times) =>
    cloud.behaviour.dropFromList(action.requiredId('server'), times),
  'page-shift': (cloud, action) => {
    const server = action.requiredId('server');
    cloud.behaviour.afterNextPage('/servers', () => cloud.vanishServer(server));
  },
  'lock-server': (cloud, action) => cloud.lockServer(action.requiredId('server'), action.requiredId('ms')),
  'wrong-image-architecture': (cloud) => {
    cloud.settings.wrongArchitectureBoots = true;
  },
  'node-never-registers': (cloud, action, times) => {
    const pool = action.text('pool');
    cloud.behaviour.keepNodesAway((labels) => pool === undefined || labels[POOL_LABEL] === pool, times);
  },
  'token-revoked': (cloud, action) => cloud.revokeToken(action.text('token')),
  'token-read-only': (cloud, action) => cloud.setTokenAccess('read-only', action.text('token')),
};

/**
 * Arms one fault from a document: `{ action: { kind, … }, times?, … }`. Kinds are those of the sandbox in general
 * (see `fault-document`), and the effects above. An `answer` may name an API `code` and `message` instead of a body.
 */
export function applyFaultDocument(cloud: HetznerCloud, document: unknown): void {
  const rule = document as JsonObject | null;
  const action = actionOf(rule);
  const kind = typeof action['kind'] === 'string' ? action['kind'] : '';
  if (Object.hasOwn(EFFECTS, kind)) {
    const times = rule?.['times'];
    const reader = new BodyReader(action);
    EFFECTS[kind]!(cloud, reader, typeof times === 'number' ? times : undefined);
    reader.errors.throwIfAny();
    return;
  }
  cloud.faults.add(faultRuleFrom({ ...rule, action: withErrorBody(action) }, cloud.world.now()));
}

function actionOf(rule: JsonObject | null): JsonObject {
  const action = rule?.['action'];
  return typeof action === 'object' && action !== null ? (action as JsonObject) : {};
}

function withErrorBody(action: JsonObject): JsonObject {
  const { code, message } = action;
  if (typeof code !== 'string') return action;
  const error = apiError(code, typeof message === 'string' ? message : code);
  return { status: error.status, ...action, body: error.toBody() };
}
