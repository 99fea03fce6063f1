import { serverState } from '../../../src/adapters/hetzner/state/server-state.js';
import type { ServerContext } from '../../../src/adapters/hetzner/state/server-state.js';

const MINUTE = 60_000;
const FRESH: ServerContext = {
  deletionAccepted: false,
  orderInFlight: false,
  hasNode: null,
  ageMs: MINUTE,
  creationTimeoutMs: 5 * MINUTE,
};
const OLD = { ageMs: 60 * MINUTE, hasNode: false };

describe('state of a server', () => {
  // hetzner 7/27
  it.each([
    ['running', 'running'],
    ['starting', 'creating'],
    ['initializing', 'creating'],
    ['stopping', 'running'],
    ['deleting', 'deleting'],
    ['off', 'creating'],
    ['migrating', 'running'],
    ['rebuilding', 'running'],
    ['unknown', 'running'],
    ['invented', 'running'],
    ['', 'running'],
  ])('%s is %s', (status, state) => {
    expect(serverState(status, FRESH)).toEqual({ state, failure: null });
  });

  it.each([
    ['off without a node, older than the timeout', 'off', OLD, 'hcloud-server-off'],
    ['off with a node', 'off', { ...OLD, hasNode: true }, null],
    ['off before the nodes are known', 'off', { ...OLD, hasNode: null }, null],
    ['off while we create it', 'off', { ...OLD, orderInFlight: true }, null],
    ['off of unknown age', 'off', { ...OLD, ageMs: null }, null],
    ['initializing for too long', 'initializing', { ...OLD, ageMs: 11 * MINUTE }, 'hcloud-orphan'],
    ['initializing within the grace', 'initializing', { ...OLD, ageMs: 9 * MINUTE }, null],
    ['running without a node', 'running', OLD, null],
  ])('%s', (_what, status, context, code) => {
    expect(serverState(status, { ...FRESH, ...context }).failure?.code ?? null).toBe(code);
  });

  it('is deleting once the deletion was accepted, whatever a list says', () => {
    expect(serverState('running', { ...FRESH, deletionAccepted: true }).state).toBe('deleting');
  });
});
