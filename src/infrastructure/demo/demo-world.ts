import type { KubernetesCluster, Manifest } from '../../sandbox/kubernetes/index.js';
import type { WorldClock } from '../../sandbox/world/index.js';
import type { LogEntry } from './autoscaler-process.js';
import { workload } from './workload.js';

/**
 * A simulated cluster and cloud for the demo: what {@link DemoStory} tells happens in it, with one pool of workers that
 * grows and shrinks. It runs from the beginning on, with one worker and `PLATFORM` on it.
 */
export interface DemoWorld {
  /** What the viewer is looking at, as a sentence without its end. */
  readonly title: string;
  readonly clock: WorldClock;
  readonly cluster: KubernetesCluster;
  /** The deployment that makes the pool grow. */
  readonly load: Manifest;
  /** What is peculiar here, said as the load appears. */
  readonly circumstance: string;
  /** Workers of the pool when there is nothing to do. */
  readonly minimum: number;
  /** Serves its APIs. What the autoscaler reads from files goes into the folder. */
  open(folder: string): Promise<OpenDemo>;
  stop(): void;
  /** Workers of the pool, whatever their state. */
  workers(): number;
  /** Machines that should have a node. */
  machines(): number;
  /** Whether the viewer should see this line; called once for each. */
  isWorthTelling(entry: LogEntry): boolean;
  /** What the growth has shown that it should not, in sentences. */
  objectionsToGrowth(): readonly string[];
  /** The same of the whole story. */
  objections(): readonly string[];
}

/** A world that is served, and how the autoscaler is started on it. */
export interface OpenDemo {
  readonly kubernetesUrl: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Said before the start; empty if there is nothing to say. */
  readonly preface: string;
  close(): Promise<void>;
}

/** Some load that is there from the beginning. */
export const PLATFORM = workload('platform', 1, '600m');

/** For all worlds: patience cut to what a viewer has, and an address that is free. */
export const QUICK_FLAGS: readonly string[] = [
  '--scan-interval=2s',
  '--scale-down-unneeded-time=6s',
  '--scale-down-delay-after-add=6s',
  '--scale-down-delay-after-delete=0s',
  '--node-delete-delay-after-taint=1s',
  '--max-drain-parallelism=2',
  '--kube-client-qps=50',
  '--kube-client-burst=100',
  '--address=127.0.0.1:0',
  '--logging-format=json',
];

/** Times of the cluster, in the same spirit. */
export const QUICK_CLUSTER = {
  podStartMs: 500,
  podStopMs: 500,
  initializeMs: 300,
  silenceGraceMs: 3_000,
} as const;
export const QUICK_NODES = { joinAfterMs: 2_000, readyAfterMs: 500 } as const;
