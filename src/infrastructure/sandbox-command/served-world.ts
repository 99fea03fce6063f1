import type { CloudSandbox } from '../../sandbox/cloud-sandbox.js';
import type { CloudGuide } from './cloud-guide.js';

/** A world that can be served, and how to run the autoscaler on it. */
export interface ServedWorld {
  readonly sandbox: CloudSandbox;
  /** What it is, in a sentence. */
  readonly title: string;
  readonly guide: CloudGuide;
  /** Sets it in motion; called once it is served. */
  start(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}
