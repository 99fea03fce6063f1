import { ApiError } from '../objects/api-error.js';
import { resourceOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import { KINDS } from '../objects/kinds.js';
import { isRecord } from '../objects/object.js';
import type { KubeObject } from '../objects/object.js';
import type { KubernetesCluster } from '../kubernetes-cluster.js';
import { faultRuleFrom } from '../../world/fault-document.js';

type Action = Readonly<Record<string, unknown>>;
/** Switches a fault on, and returns how to switch it off again; nothing where it happens once. */
type Effect = (cluster: KubernetesCluster, action: Action) => (() => void) | undefined;

/** Faults of the API server and its control plane, by their names in documents. `resource` as in RBAC: `jobs.batch`. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'api-down': (cluster) => {
    cluster.faults.down = true;
    cluster.faults.cutWatches();
    return () => {
      cluster.faults.down = false;
    };
  },
  'watch-cut': (cluster, action) => {
    cluster.faults.cutWatches(kindIn(action), action['cleanly'] === true ? 'cleanly' : 'abruptly');
    return undefined;
  },
  'watch-silent': (cluster, action) => {
    cluster.faults.silenceWatches(kindIn(action));
    return undefined;
  },
  'watch-expired': (cluster, action) => {
    cluster.faults.expireWatches(kindIn(action));
    return undefined;
  },
  'watch-resume-expired': (cluster, action) => {
    cluster.faults.expiredWatches = numberIn(action, 'count', 1);
    return undefined;
  },
  'watch-duplicates': (cluster, action) => {
    cluster.faults.duplicates = numberIn(action, 'count', 1);
    return () => {
      cluster.faults.duplicates = 0;
    };
  },
  'watch-reordered': (cluster) => {
    cluster.faults.reorders = true;
    return () => {
      cluster.faults.reorders = false;
    };
  },
  'watch-slow': (cluster, action) => {
    cluster.faults.eventDelayMs = numberIn(action, 'ms');
    return () => {
      cluster.faults.eventDelayMs = 0;
    };
  },
  'list-half': (cluster, action) => {
    const kind = kindIn(action);
    const before = cluster.faults.hidesFromLists;
    cluster.faults.hidesFromLists = (object) =>
      (kind === undefined || object.kind === kind.kind) && isInOtherHalf(object);
    return () => {
      cluster.faults.hidesFromLists = before;
    };
  },
  'list-stale': (cluster, action) => {
    const kind = kindIn(action);
    for (const one of kind === undefined ? KINDS : [kind]) cluster.faults.freezeLists(one);
    return () => cluster.faults.thawLists(kind);
  },
  'token-expired': (cluster, action) => {
    const still = Array.isArray(action['accepted']) ? action['accepted'].map(String) : [];
    cluster.faults.acceptedTokens = new Set(still);
    return () => {
      cluster.faults.acceptedTokens = null;
    };
  },
  forbidden: (cluster, action) => {
    const { verb, resource } = action;
    const before = cluster.faults.forbids;
    cluster.faults.forbids = (access) =>
      before(access) ||
      ((verb === undefined || access.verb === verb) &&
        (resource === undefined || access.resource === resource));
    return () => {
      cluster.faults.forbids = before;
    };
  },
  'ghost-nodes': (cluster) => {
    cluster.keepGhosts(true);
    return () => cluster.keepGhosts(false);
  },
};

/** Kinds of faults that a document may name, beside those of requests. */
export const CLUSTER_FAULTS: readonly string[] = Object.keys(EFFECTS);

/**
 * Arms one fault from a document: `{ action: { kind, … }, forMs?, … }`. Kinds are those of requests in general (see
 * `fault-document`), and the effects above. An `answer` may leave its body out: it is the `Status` that goes with the
 * number. `forMs` ends an effect after so much world time. Gives the id of a rule for requests, else null. Throws a
 * RangeError that names what is wrong.
 */
export function applyFaultDocument(cluster: KubernetesCluster, document: unknown): string | null {
  const action = isRecord(document) && isRecord(document['action']) ? document['action'] : {};
  const kind = typeof action['kind'] === 'string' ? action['kind'] : '';
  const { clock } = cluster.registry;
  if (!Object.hasOwn(EFFECTS, kind)) {
    const complete = { ...(document as object), action: withStatusBody(action) };
    return cluster.faults.requests.add(faultRuleFrom(complete, clock.now()));
  }
  const forMs = isRecord(document) && document['forMs'] !== undefined ? numberIn(document, 'forMs') : null;
  const undo = EFFECTS[kind]!(cluster, action);
  if (forMs !== null && undo === undefined) throw new RangeError(`a fault '${kind}' happens once: no forMs`);
  if (forMs !== null && undo !== undefined) clock.schedule(forMs, undo);
  return null;
}

/** Stable for an object, whatever else is there. */
function isInOtherHalf(object: KubeObject): boolean {
  let sum = 0;
  for (const character of object.metadata.uid) sum += character.charCodeAt(0);
  return sum % 2 === 1;
}

function kindIn(action: Action): Kind | undefined {
  const { resource } = action;
  if (resource === undefined) return undefined;
  const kind = KINDS.find((row) => resourceOf(row) === resource);
  if (kind === undefined)
    throw new RangeError(`no such resource: ${JSON.stringify(resource)}; written as pods, jobs.batch`);
  return kind;
}

function numberIn(action: Action, field: string, otherwise?: number): number {
  const value = action[field] ?? otherwise;
  if (typeof value !== 'number' || !(value >= 0)) throw new RangeError(`${field} of a fault is a number`);
  return value;
}

const REASONS = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [409, 'Conflict'],
  [410, 'Expired'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

/** `retryAfterSeconds` of an answer goes into its body and its header, as the API server does. */
function withStatusBody(action: Action): Action {
  const { kind, status, message, retryAfterSeconds } = action;
  if ((kind !== 'answer' && kind !== 'commit-then-answer') || action['body'] !== undefined) return action;
  if (typeof status !== 'number') return action;
  const text = typeof message === 'string' ? message : 'a fault of the sandbox';
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null;
  const error = new ApiError(
    status,
    REASONS.get(status) ?? '',
    text,
    seconds === null ? {} : { retryAfterSeconds: seconds },
  );
  return {
    ...action,
    body: JSON.stringify(error.status()),
    ...(seconds === null ? {} : { headers: { 'retry-after': `${seconds}` } }),
  };
}
