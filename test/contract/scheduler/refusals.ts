import type { Dispatcher } from 'undici';
import { MERGE } from './api-client.js';
import type { Answer, ApiClient, Json } from './api-client.js';

/** Each attempt leaves out what the last answer named. */
const ATTEMPTS_MAX = 6;

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/**
 * Writes generated objects as far as a real API server takes them: parts that its validation names are left out, and an
 * object that is refused all the same is not there. Both are counted: what is counted here was not compared.
 */
export class TolerantWriter {
  /** Parts left out, by kind, field and reason. */
  readonly parts = new Map<string, number>();
  /** Whole objects left out, by kind and reason. */
  readonly objects = new Map<string, number>();
  written = 0;

  constructor(private readonly client: ApiClient) {}

  create(collection: string, manifest: Json): Promise<Json | null> {
    return this.write('POST', collection, manifest, String(manifest['kind']));
  }

  patch(path: string, patch: Json, kind: string): Promise<Json | null> {
    return this.write('PATCH', path, patch, kind);
  }

  /** The object as the server holds it then; null: refused. */
  private async write(
    method: Dispatcher.HttpMethod,
    path: string,
    body: Json,
    kind: string,
  ): Promise<Json | null> {
    let current = body;
    for (let attempt = 1; ; attempt++) {
      const type = method === 'PATCH' ? MERGE : undefined;
      const answer = await this.client.send(method, path, current, type);
      if (answer.status < 300) {
        this.written++;
        return answer.json;
      }
      if (answer.status === 409 || answer.status === 404 || answer.status >= 500) {
        throw new Error(`${method} ${path}: ${JSON.stringify(answer.json)}`);
      }
      const lighter = attempt < ATTEMPTS_MAX ? withoutRefused(current, causesOf(answer)) : null;
      if (lighter === null) {
        count(this.objects, `${kind}: ${withoutNames(String(answer.json['message']))}`);
        return null;
      }
      for (const cause of causesOf(answer)) count(this.parts, `${kind}: ${describeCause(cause)}`);
      current = lighter;
    }
  }
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function causesOf({ status, json }: Answer): readonly Cause[] {
  return status === 422 ? (json['details']?.causes ?? []) : [];
}

/** Null where nothing that was named could be taken away. */
function withoutRefused(object: Json, causes: readonly Cause[]): Json | null {
  const lighter = structuredClone(object);
  const isLighter = causes.map((cause) => leaveOut(lighter, cause)).includes(true);
  return isLighter ? (compact(lighter) as Json) : null;
}

/** Where answers name another field than the one that was written. */
const ALIASES: readonly (readonly [RegExp, string])[] = [
  [/^metadata\.taints/, 'spec.taints'],
  [/^overhead\.limits/, 'overhead.podFixed'],
  [/^(spec\.topologySpreadConstraints\[\d+\])\[(\d+)\]$/, '$1.matchLabelKeys[$2]'],
];

/** The innermost list item or map entry that the field lies in; a container stays and loses the field. */
function leaveOut(root: Json, { field = '', message = '' }: Cause): boolean {
  const written = ALIASES.reduce((path, [pattern, name]) => path.replace(pattern, name), field);
  const steps = [...written.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map((match) => ({
    name: match[1] ?? match[0],
    isItem: match[1] !== undefined,
  }));
  const innermost = steps.findLastIndex(({ isItem }) => isItem);
  const isContainer = ['containers', 'initContainers'].includes(steps[innermost - 1]?.name ?? '');
  const end = innermost < 0 || isContainer ? steps.length : innermost + 1;
  const path = steps.slice(0, end).map(({ name }) => name);
  const isGone = drop(root, path, message);
  // What is asked for and its limit go together.
  const twin = path.map((name) => ({ requests: 'limits', limits: 'requests' })[name] ?? name);
  return (twin.join() !== path.join() && drop(root, twin, message)) || isGone;
}

function drop(root: Json, path: readonly string[], message: string): boolean {
  let parent: any = root;
  for (const name of path.slice(0, -1)) parent = parent?.[name];
  const last = path.at(-1);
  if (parent == null || last === undefined) return false;
  // Something required is missing: what requires it goes, but for the object itself.
  if (parent[last] == null) return path.length > 3 && drop(root, path.slice(0, -1), message);
  if (Array.isArray(parent)) parent[Number(last)] = null;
  else if (!dropNamedEntries(parent[last], message)) Reflect.deleteProperty(parent as object, last);
  return true;
}

/** Of a map of texts only the entries that the message quotes. */
function dropNamedEntries(map: unknown, message: string): boolean {
  const quoted = /^Invalid value: "((?:[^"\\]|\\.)*)"/.exec(message)?.[1];
  if (quoted === undefined || typeof map !== 'object' || map === null || Array.isArray(map)) return false;
  const entries = Object.entries(map).filter(([key, value]) => key === quoted || value === quoted);
  for (const [key] of entries) Reflect.deleteProperty(map, key);
  return entries.length > 0;
}

/** Without the items that were struck out. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(compact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, compact(part)]));
}

function describeCause({ field = '', message = '' }: Cause): string {
  return `${field.replaceAll(/\[[^\]]*\]/g, '[…]')}: ${withoutNames(message)}`;
}

function withoutNames(message: string): string {
  return message
    .replace(/Invalid value: .*?: /, 'Invalid value: ')
    .replaceAll(/"[^"]*"/g, '"…"')
    .slice(0, 140);
}
