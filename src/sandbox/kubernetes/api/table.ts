import type { Kind } from '../objects/kind.js';
import type { StoredObject } from '../store/stored-object.js';
import type { FrontRequest } from '../../world/front.js';
import type { Page } from './list.js';
import { columnsOf } from './columns.js';

/** A stock kubectl asks the server for the columns that it prints. */
export function wantsTable(request: FrontRequest): boolean {
  return (request.headers['accept'] ?? '').includes('as=Table');
}

export function tableJson(kind: Kind, page: Page, nowMs: number): string {
  return table(kind, page.items, nowMs, {
    resourceVersion: page.revision.toString(),
    ...(page.continueToken === '' ? {} : { continue: page.continueToken }),
  });
}

/** A table of one row, as a watch or a get of one object sends it. */
export function rowJson(kind: Kind, item: StoredObject, nowMs: number): string {
  return table(kind, [item], nowMs, { resourceVersion: item.object.metadata.resourceVersion });
}

function table(kind: Kind, items: readonly StoredObject[], nowMs: number, metadata: unknown): string {
  const columns = columnsOf(kind);
  return JSON.stringify({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, wide }) => ({
      name,
      type: 'string',
      format: name === 'Name' ? 'name' : '',
      description: name,
      priority: wide ? 1 : 0,
    })),
    rows: items.map(({ object }) => ({
      cells: columns.map((column) => column.cell(object, nowMs)),
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  });
}
