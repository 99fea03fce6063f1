import type { FaultMatch, WorldClock } from '../../world/index.js';
import type { Kind, KubernetesCluster } from '../../kubernetes/index.js';
import { kinds } from '../../kubernetes/index.js';
import type { AnswerDocument } from '../format/answers.js';
import type { ApiDocument } from '../format/api-shape.js';
import { actionOf, addAnswer } from './cloud-script.js';

/** Makes the simulated Kubernetes API do what a story says. */
export class ApiScript {
  private readonly emptied = new Set<string>();
  private readonly halved = new Set<string>();

  constructor(
    private readonly cluster: KubernetesCluster,
    private readonly clock: WorldClock,
  ) {}

  apply(change: ApiDocument): void {
    const { faults } = this.cluster;
    if (change.healthy === true) this.heal();
    if (change.down !== undefined) {
      faults.down = change.down;
      if (change.down) faults.cutWatches();
    }
    for (const answer of change.answers ?? []) this.answer(answer);
    if (change.forbids !== undefined) this.forbid(change.forbids);
    for (const [resource, fate] of change.watches ?? []) this.disturbWatches(resource, fate);
    for (const [resource, content] of change.lists ?? []) this.falsifyLists(resource, content);
    if (change.duplicates !== undefined) faults.duplicates = change.duplicates;
    if (change.reorders !== undefined) faults.reorders = change.reorders;
    if (change.eventDelay !== undefined) faults.eventDelayMs = change.eventDelay;
    if (change.ghosts !== undefined) this.cluster.keepGhosts(change.ghosts);
    if (change.expiredWatches !== undefined) faults.expiredWatches = change.expiredWatches;
    if (change.tokens !== undefined) faults.acceptedTokens = new Set(change.tokens);
  }

  private heal(): void {
    this.emptied.clear();
    this.halved.clear();
    this.cluster.keepGhosts(false);
    this.cluster.faults.clear();
  }

  private answer(answer: AnswerDocument): void {
    const action = actionOf(answer, statusAnswer);
    addAnswer(this.cluster.faults.requests, this.clock, answer, { match: apiMatch(answer.to), action });
  }

  private forbid(calls: readonly string[]): void {
    this.cluster.faults.forbids = ({ verb, resource }) =>
      calls.some((call) => isAccess(call, verb, resource));
  }

  private disturbWatches(resource: string, fate: 'cut' | 'ended' | 'silent' | 'expired'): void {
    const { faults } = this.cluster;
    const kind = kindOf(resource);
    if (fate === 'silent') faults.silenceWatches(kind);
    else if (fate === 'expired') faults.expireWatches(kind);
    else faults.cutWatches(kind, fate === 'cut' ? 'abruptly' : 'cleanly');
  }

  private falsifyLists(resource: string, content: 'stale' | 'half' | 'empty' | 'fresh'): void {
    const { faults } = this.cluster;
    const kind = kindOf(resource);
    if (content === 'stale') faults.freezeLists(kind);
    if (content === 'half') this.halved.add(kind.kind);
    if (content === 'empty') this.emptied.add(kind.kind);
    if (content === 'fresh') {
      this.halved.delete(kind.kind);
      this.emptied.delete(kind.kind);
      faults.thawLists(kind);
    }
    faults.hidesFromLists = ({ kind: name, metadata }) =>
      this.emptied.has(name) || (this.halved.has(name) && isOdd(metadata.uid));
  }
}

/** About every second object, always the same ones. */
function isOdd(uid: string): boolean {
  return uid.charCodeAt(uid.length - 1) % 2 === 1;
}

function kindOf(resource: string): Kind {
  const found = kinds.KINDS.find(({ plural }) => plural === resource);
  if (found === undefined) throw new RangeError(`the sandbox has no resource ${resource}`);
  return found;
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

function isAccess(call: string, verb: string, resource: string): boolean {
  const [wantedVerb, wantedResource] = call.split(' ');
  if (call === 'any') return true;
  if (call === 'writes') return WRITES.has(verb);
  if (call === 'evict') return verb === 'create' && resource.startsWith('pods/eviction');
  return (
    wantedVerb === verb && (wantedResource === undefined || wantedResource === resource.split(/[./]/u)[0])
  );
}

const METHODS: Readonly<Record<string, string>> = {
  list: 'GET',
  get: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** Requests that a call of the notation means. */
export function apiMatch(call: string): FaultMatch {
  return { when: ({ method, path, query }) => isApiCall(call, { method, path, isWatch: isWatch(query) }) };
}

interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly isWatch: boolean;
}

export function isApiCall(call: string, { method, path, isWatch }: ApiRequest): boolean {
  const isEviction = path.endsWith('/eviction');
  const [verb, resource] = call.split(' ');
  if (call === 'any') return true;
  if (call === 'writes') return method !== 'GET';
  if (call === 'evict') return isEviction;
  if (METHODS[verb!] !== method || isEviction) return false;
  const isNamed = resource === undefined ? true : path.split('/').includes(resource);
  if (method !== 'GET') return isNamed;
  const endsInResource = resource === undefined || path.endsWith(`/${resource}`);
  return (
    isNamed &&
    (verb === 'watch') === isWatch &&
    (verb === 'get' ? !endsInResource : verb === 'watch' || endsInResource)
  );
}

function isWatch(query: URLSearchParams): boolean {
  return query.get('watch') === 'true' || query.get('watch') === '1';
}

function statusAnswer(code: string | null, status: number | null) {
  const httpStatus = status ?? 500;
  const reason = code ?? REASONS[httpStatus] ?? 'InternalError';
  const message = 'scripted by the story';
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code: httpStatus };
  return { status: httpStatus, body: JSON.stringify(body) };
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
