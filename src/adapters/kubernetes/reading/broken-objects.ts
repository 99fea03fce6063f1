import type { Logger } from '../../../application/ports/logger.js';
import { metadataOf } from './parse-object.js';
import type { Json } from './parse-object.js';

/** Objects remembered as reported. A cluster with more broken ones is told about some of them twice. */
const REMEMBERED_MAX = 1_024;

/** Reports each object that can't be read once, however often it comes by. */
export class BrokenObjects {
  private readonly reported = new Set<string>();

  constructor(
    private readonly resource: string,
    private readonly logger: Logger,
  ) {}

  report(object: Json, error: unknown): void {
    const { namespace, name } = metadataOf(object) ?? {};
    const parts = [namespace, name].filter((part) => typeof part === 'string');
    const subject = parts.length === 0 ? 'without a name' : parts.join('/');
    const problem = error instanceof Error ? error.message : String(error);
    const key = `${subject} ${problem}`;
    if (this.reported.has(key)) return;
    if (this.reported.size >= REMEMBERED_MAX) this.reported.clear();
    this.reported.add(key);
    this.logger.warn('object-skipped', `an object of ${this.resource} can't be read and is left out`, {
      resource: this.resource,
      object: subject,
      problem,
    });
  }
}
