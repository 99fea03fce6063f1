import type { SharedRecords } from '../projection/projection.js';
import type { Json } from './parse-object.js';

/** One resource that is listed and watched. */
export interface ResourceRow<T extends object> {
  /** Plural, as the API writes it; also the name in logs, incidents and readings. */
  readonly name: string;
  /** Collection over all namespaces: `/api/v1/pods`. */
  readonly path: string;
  readonly fieldSelector?: string;
  /** Makes the record of one object; throws for an object that can't be read. */
  readonly project: (object: Json, shared: SharedRecords) => T;
  /** An API that is missing or forbidden counts as one without objects (`interface` 8.1). */
  readonly optional?: true;
}
