import type { CloudFailure, InstanceState } from '../../../domain/node-group/node-group.js';

/** What is known about a server beside its status. */
export interface ServerContext {
  /** We asked for its deletion. */
  readonly deletionAccepted: boolean;
  /** One of our creations works on it. */
  readonly orderInFlight: boolean;
  /** A node of it was seen; null where the nodes of the cluster are not known yet. */
  readonly hasNode: boolean | null;
  /** Null where the API does not say when it was created. */
  readonly ageMs: number | null;
  readonly creationTimeoutMs: number;
}

export interface ServerState {
  readonly state: InstanceState;
  readonly failure: CloudFailure | null;
}

/** On top of the creation timeout, before a server that nobody works on counts as left behind (`hetzner` 3.7d). */
const ORPHAN_GRACE_MS = 5 * 60_000;

const RUNNING: ServerState = { state: 'running', failure: null };
const CREATING: ServerState = { state: 'creating', failure: null };
const DELETING: ServerState = { state: 'deleting', failure: null };

/**
 * Status table of `hetzner` 3.6.
 *
 * differs from upstream: `initializing`, `off` and `deleting` have a state (B01), and a server under migration or in
 * a state that is not known yet counts as running, so that nobody deletes it for that.
 */
export function serverState(status: string, context: ServerContext): ServerState {
  if (context.deletionAccepted) return DELETING;
  switch (status) {
    case 'deleting':
      return DELETING;
    case 'starting':
      return CREATING;
    case 'initializing':
      return isOlderThan(context, context.creationTimeoutMs + ORPHAN_GRACE_MS) && isLeftBehind(context)
        ? failed('hcloud-orphan', 'its creation was never finished')
        : CREATING;
    case 'off':
      return stateWhenOff(context);
    default:
      // Also `stopping` without a deletion of ours: someone restarts it.
      return RUNNING;
  }
}

function stateWhenOff(context: ServerContext): ServerState {
  if (context.hasNode === true) return RUNNING;
  if (!isLeftBehind(context) || !isOlderThan(context, context.creationTimeoutMs)) return CREATING;
  return failed('hcloud-server-off', 'it is switched off and has no node');
}

/** Nobody works on it and no node runs on it; never concluded before the nodes are known. */
function isLeftBehind(context: ServerContext): boolean {
  return !context.orderInFlight && context.hasNode === false;
}

function isOlderThan(context: ServerContext, ms: number): boolean {
  return context.ageMs !== null && context.ageMs > ms;
}

function failed(code: string, message: string): ServerState {
  return { state: 'creating', failure: { kind: 'transient', code, message } };
}
