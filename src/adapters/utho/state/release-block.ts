import type { CloudFailure } from '../../../domain/node-group/node-group.js';

/** For a while, workers of a pool are not deleted. */
export interface ReleaseBlock {
  readonly untilMs: number;
  readonly failure: CloudFailure;
  /** Which workers it is about. */
  readonly holds: 'all' | 'running';
}
