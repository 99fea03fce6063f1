import { inject, injectable } from 'inversify';
import type { Pod } from '../../domain/kubernetes/pod.js';
import type { NodeTemplate } from '../../domain/node-group/node-group.js';
import type { Observation } from '../../domain/observation.js';
import { Clock } from '../ports/clock.js';
import type { DebuggingSnapshots, SnapshotAnswer } from '../ports/debugging-snapshots.js';
import { describeNode, describePod } from './describe-objects.js';
import { renderRfc3339Fraction } from './utc-time.js';

/** What one loop decided on. */
export interface SnapshotContent {
  readonly observation: Pick<Observation, 'nodes' | 'pods'>;
  /** Pending pods for which there is room. */
  readonly schedulablePods: readonly Pod[];
  readonly templates: ReadonlyMap<string, NodeTemplate>;
}

interface OpenRequest {
  readonly answer: (answer: SnapshotAnswer) => void;
  /** When the loop that serves it began; null until one begins. */
  startedMs: number | null;
  content: SnapshotContent | null;
}

/**
 * Hands the state of the next loop to the one request that waits for it (`interface` 3.4). The loop calls `beginLoop`,
 * `collect` and `finishLoop`; with nobody waiting they cost nothing.
 */
@injectable()
export class SnapshotDesk implements DebuggingSnapshots {
  private open: OpenRequest | null = null;
  private isClosed = false;

  constructor(@inject(Clock) private readonly clock: Clock) {}

  request(signal: AbortSignal): Promise<SnapshotAnswer> {
    if (this.open !== null) return Promise.resolve({ kind: 'busy' });
    if (this.isClosed || signal.aborted) return Promise.resolve({ kind: 'abandoned' });
    return new Promise((resolve) => {
      const abandon = (): void => this.answer({ kind: 'abandoned' });
      const answer = (value: SnapshotAnswer): void => {
        signal.removeEventListener('abort', abandon);
        resolve(value);
      };
      this.open = { answer, startedMs: null, content: null };
      signal.addEventListener('abort', abandon, { once: true });
    });
  }

  beginLoop(): void {
    if (this.open !== null) this.open.startedMs = this.clock.now();
  }

  /** A request that came after the loop began waits for the next one. */
  collect(content: SnapshotContent): void {
    if (this.open?.startedMs != null) this.open.content = content;
  }

  finishLoop(): void {
    if (this.open?.startedMs == null) return;
    const { content, startedMs } = this.open;
    const times = {
      StartTimestamp: renderRfc3339Fraction(startedMs),
      EndTimestamp: renderRfc3339Fraction(this.clock.now()),
    };
    if (content === null) {
      const body = { ...describe(NOTHING), Error: 'Unable to collect any data', ...times };
      this.answer({ kind: 'nothing-collected', body });
    } else {
      this.answer({ kind: 'collected', body: { ...describe(content), ...times } });
    }
  }

  /** At exit. */
  close(): void {
    this.isClosed = true;
    this.answer({ kind: 'abandoned' });
  }

  private answer(answer: SnapshotAnswer): void {
    this.open?.answer(answer);
    this.open = null;
  }
}

const NOTHING: SnapshotContent = {
  observation: { nodes: [], pods: [] },
  schedulablePods: [],
  templates: new Map(),
};

function describe({ observation, schedulablePods, templates }: SnapshotContent): object {
  const podsByNode = new Map<string, object[]>(observation.nodes.map((node) => [node.name, []]));
  for (const pod of observation.pods) podsByNode.get(pod.nodeName)?.push(describePod(pod));
  return {
    NodeList: observation.nodes.map((node) => ({
      Node: describeNode(node),
      Pods: podsByNode.get(node.name),
    })),
    UnscheduledPodsCanBeScheduled: schedulablePods.map(describePod),
    TemplateNodes: Object.fromEntries(
      [...templates].map(([groupId, { node, pods }]) => [
        groupId,
        { Node: describeNode(node), Pods: pods.map(describePod) },
      ]),
    ),
  };
}
