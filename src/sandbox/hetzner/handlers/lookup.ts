import { apiError, invalidInput, notFound } from '../api/api-error.js';
import type { Reference } from '../api/body-reader.js';
import type { ServerRecord } from '../state/records.js';
import type { Project } from '../state/project.js';
import type { HetznerWorld } from '../state/world.js';

/** The item of that id. Throws `not_found`. */
export function byId<T>(items: ReadonlyMap<number, T>, id: number, what: string): T {
  const item = items.get(id);
  if (item === undefined) throw notFound(what, id);
  return item;
}

/** Digits are an id, everything else a name. */
export function matchesReference(
  item: { readonly id: number; readonly name: string | null },
  reference: Reference,
): boolean {
  return item.id === Number(reference) || item.name === reference;
}

/** What a request refers to in one of its fields. Throws as the world's settings say when there is no such thing. */
export function referenced<T extends { readonly id: number; readonly name: string | null }>(
  world: HetznerWorld,
  items: Iterable<T>,
  reference: Reference,
  field: string,
): T {
  for (const item of items) if (matchesReference(item, reference)) return item;
  throw unknownReference(world, field, reference);
}

export function unknownReference(world: HetznerWorld, field: string, reference: Reference): Error {
  return world.settings.unknownReference === 'not_found'
    ? notFound(field, reference)
    : invalidInput(field, `${field} '${reference}' does not exist`);
}

/** The server of a call that changes it. Throws `not_found`, `locked`. */
export function changeableServer(world: HetznerWorld, project: Project, id: number): ServerRecord {
  const server = byId(project.servers, id, 'server');
  if (world.isLocked(server)) throw apiError('locked', 'server is locked by another action');
  return server;
}
