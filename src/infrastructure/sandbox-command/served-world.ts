import type { HetznerSandbox } from '../../sandbox/hetzner-sandbox.js';

/** A world that can be served, and how to run the autoscaler on it. */
export interface ServedWorld {
  readonly sandbox: HetznerSandbox;
  /** What it is, in a sentence. */
  readonly title: string;
  /** Flags of `run`, and of the Go program. */
  readonly flags: readonly string[];
  /** What the environment must hold beside token, endpoint and cloud-init. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets it in motion; called once it is served. */
  start(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}
