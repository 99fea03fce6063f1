import { ApiError, isNotFound } from './api-error.js';
import type { QueryValue } from './api-request.js';
import { Fields } from './fields.js';
import type { CallOptions, HetznerClient } from './hetzner-client.js';
import {
  parseAction,
  parseImage,
  parseLocation,
  parseNamed,
  parseNetwork,
  parsePlacementGroup,
  parseServer,
  parseServerType,
} from './parse-records.js';
import type {
  Action,
  CreatedServer,
  Image,
  Location,
  NamedResource,
  Network,
  PlacementGroup,
  Server,
  ServerType,
} from './records.js';

type Query = Readonly<Record<string, QueryValue>>;
type Parse<T> = (fields: Fields) => T | null;

/** Maximum of the API. */
const PAGE_SIZE = 50;
/** 2000 pages: 100,000 objects, far above any project; bounds the walk if `next_page` never ends. */
const PAGES_MAX = 2_000;
/** Ids per `GET /actions`, as the official clients send them. */
export const ACTIONS_PER_CALL = 25;

export interface ServerList {
  readonly servers: readonly Server[];
  /** The number of pages changed during the walk: something may be missing. */
  readonly unsteady: boolean;
}

/** The endpoints that this adapter uses, typed (`hetzner` 2.7 to 2.9). Throws {@link ApiError} only. */
export class HetznerApi {
  constructor(private readonly client: HetznerClient) {}

  async listServers(labelSelector: string, options: CallOptions): Promise<ServerList> {
    const query = { label_selector: labelSelector, sort: 'id:asc' };
    const { items, unsteady } = await this.list('servers', query, parseServer, options);
    // An object may be met on two pages when the list moves.
    return { servers: [...new Map(items.map((server) => [server.id, server])).values()], unsteady };
  }

  /** Null: the API says that there is none. */
  async server(id: number, options: CallOptions): Promise<Server | null> {
    return this.one('servers', `/servers/${id}`, 'server', parseServer, options);
  }

  async serverByName(name: string, options: CallOptions): Promise<Server | null> {
    const { items } = await this.list('servers', { name }, parseServer, options);
    return items[0] ?? null;
  }

  /** Not idempotent: an unknown outcome is thrown, never retried here. */
  async createServer(body: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CreatedServer> {
    const request = { method: 'POST', path: '/servers', body, idempotent: false } as const;
    const answer = Fields.of(await this.client.call(request, options));
    const server = parseServer(answer.object('server'));
    if (server === null) throw unreadable('the answer to the creation names no server');
    return { server, actions: actionsOf([answer.object('action'), ...answer.list('next_actions')]) };
  }

  /** Null: gone already. */
  async deleteServer(id: number, options: CallOptions): Promise<Action | null> {
    const request = { method: 'DELETE', path: `/servers/${id}`, idempotent: true } as const;
    try {
      const answer = Fields.of(await this.client.call(request, options));
      return parseAction(answer.object('action'));
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }

  /** Null: the server is in that network already. */
  async attachToNetwork(
    serverId: number,
    body: { readonly network: number; readonly ip_range: string },
    options: CallOptions,
  ): Promise<Action | null> {
    try {
      return await this.serverAction(serverId, 'attach_to_network', body, options);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'server_already_attached') return null;
      throw error;
    }
  }

  async powerOn(serverId: number, options: CallOptions): Promise<Action | null> {
    return this.serverAction(serverId, 'poweron', undefined, options);
  }

  /** Ids that the API does not know are missing in the answer. */
  async actions(ids: readonly number[], options: CallOptions): Promise<readonly Action[]> {
    const query = { id: ids, per_page: PAGE_SIZE };
    const request = { method: 'GET', path: '/actions', query, idempotent: true } as const;
    return actionsOf(Fields.of(await this.client.call(request, options)).list('actions'));
  }

  async serverTypes(options: CallOptions): Promise<readonly ServerType[]> {
    return (await this.list('server_types', {}, parseServerType, options)).items;
  }

  async locations(options: CallOptions): Promise<readonly Location[]> {
    return (await this.list('locations', {}, parseLocation, options)).items;
  }

  async image(id: number, options: CallOptions): Promise<Image | null> {
    return this.one('images', `/images/${id}`, 'image', parseImage, options);
  }

  async images(query: Query, options: CallOptions): Promise<readonly Image[]> {
    return (await this.list('images', query, parseImage, options)).items;
  }

  async network(reference: string, options: CallOptions): Promise<Network | null> {
    return this.byReference('networks', 'network', reference, parseNetwork, options);
  }

  async firewall(reference: string, options: CallOptions): Promise<NamedResource | null> {
    return this.byReference('firewalls', 'firewall', reference, parseNamed, options);
  }

  async sshKey(reference: string, options: CallOptions): Promise<NamedResource | null> {
    return this.byReference('ssh_keys', 'ssh_key', reference, parseNamed, options);
  }

  async placementGroup(reference: string, options: CallOptions): Promise<PlacementGroup | null> {
    return this.byReference('placement_groups', 'placement_group', reference, parsePlacementGroup, options);
  }

  private async serverAction(
    serverId: number,
    name: string,
    body: Readonly<Record<string, unknown>> | undefined,
    options: CallOptions,
  ): Promise<Action | null> {
    const path = `/servers/${serverId}/actions/${name}`;
    const frame = { method: 'POST', path, idempotent: true } as const;
    const answer = await this.client.call(body === undefined ? frame : { ...frame, body }, options);
    return parseAction(Fields.of(answer).object('action'));
  }

  /** Id first where the reference is a number, then name: the rule of the official clients (`hetzner` 2.9). */
  private async byReference<T>(
    plural: string,
    singular: string,
    reference: string,
    parse: Parse<T>,
    options: CallOptions,
  ): Promise<T | null> {
    if (/^\d+$/.test(reference)) {
      const found = await this.one(plural, `/${plural}/${reference}`, singular, parse, options);
      if (found !== null) return found;
    }
    return (await this.list(plural, { name: reference }, parse, options)).items[0] ?? null;
  }

  private async one<T>(
    plural: string,
    path: string,
    singular: string,
    parse: Parse<T>,
    options: CallOptions,
  ): Promise<T | null> {
    let answer;
    try {
      answer = await this.client.call({ method: 'GET', path, idempotent: true }, options);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
    const record = parse(Fields.of(answer).object(singular));
    if (record === null) throw unreadable(`the answer holds no usable ${singular} of ${plural}`);
    return record;
  }

  private async list<T>(
    plural: string,
    query: Query,
    parse: Parse<T>,
    options: CallOptions,
  ): Promise<{ readonly items: readonly T[]; readonly unsteady: boolean }> {
    const items: T[] = [];
    const lastPages = new Set<number>();
    for (let page = 1, pages = 0; pages < PAGES_MAX; pages++) {
      const request = {
        method: 'GET',
        path: `/${plural}`,
        query: { ...query, page, per_page: PAGE_SIZE },
        idempotent: true,
      } as const;
      const body = await this.client.call(request, options);
      if (!Array.isArray(body[plural])) throw unreadable(`the answer holds no list of ${plural}`);
      const answer = Fields.of(body);
      for (const fields of answer.list(plural)) {
        const record = parse(fields);
        if (record !== null) items.push(record);
      }
      const pagination = answer.object('meta').object('pagination');
      lastPages.add(pagination.number('last_page'));
      const next = pagination.id('next_page');
      if (next <= page) break;
      page = next;
    }
    return { items, unsteady: lastPages.size > 1 };
  }
}

function actionsOf(list: readonly Fields[]): readonly Action[] {
  return list.map(parseAction).filter((action): action is Action => action !== null);
}

function unreadable(message: string): ApiError {
  return new ApiError({ status: null, code: 'bad_response', message, outcome: 'unknown' });
}
