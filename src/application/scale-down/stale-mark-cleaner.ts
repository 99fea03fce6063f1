import { inject, injectable } from 'inversify';
import type { Node } from '../../domain/kubernetes/node.js';
import { DELETION_CANDIDATE_TAINT, hasTaint, TO_BE_DELETED_TAINT } from '../../domain/kubernetes/taint.js';
import type { Observation } from '../../domain/observation.js';
import { markedAtMs } from '../../domain/scale-down/index.js';
import type { EventKind, NodePatch } from '../ports/cluster-writer.js';
import { ClusterWriteError, ClusterWriter } from '../ports/cluster-writer.js';
import { Incidents } from '../ports/incidents.js';
import { inParallel, messageOf } from './in-parallel.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Nodes cleaned at the same time, as when marking. */
const PARALLEL_CLEANINGS = 5;
const INCIDENT = 'stale-marks';
/** A cloud that accepted a deletion has carried it out by then, or shows the machine as being deleted. */
const FORGOTTEN_MS = 15 * 60_000;

/** A mark to take from a node. */
interface Cleaning {
  readonly node: Node;
  readonly taint: string;
  readonly patch: NodePatch;
}

/**
 * Takes the marks that a predecessor left behind (`scale-down` 8.11), in the first iteration of a leader. Later those that
 * nobody works on (differs from upstream): a cloud may accept a deletion and never carry it out, and the node would stay
 * empty for ever.
 */
@injectable()
export class StaleMarkCleaner {
  private isDone = false;

  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /**
   * Gives the observation as it is without the marks that were taken, so that this iteration does not buy nodes for pods
   * that fit on one which is in use again. What could not be cleaned is tried again in the next iteration (differs from
   * upstream, which tries once). Hard marks are taken from nodes of our groups only, and not where the machine is on its
   * way out: that deletion was accepted, and pods must not return to the node (differs from upstream).
   */
  async clean(observation: Observation, signal: AbortSignal): Promise<Observation> {
    const cleanings = this.isDone
      ? this.hardMarks(observation).filter(({ node }) => isForgotten(node, observation))
      : [...this.hardMarks(observation), ...this.softMarks(observation)];
    if (this.isDone && cleanings.length === 0) return observation;
    const isCleaned = await inParallel(cleanings, PARALLEL_CLEANINGS, (cleaning) =>
      this.take(cleaning, signal),
    );
    if (isCleaned.every(Boolean)) {
      this.isDone = true;
      this.incidents.over(INCIDENT);
    }
    const cleaned = new Map(
      cleanings.filter((_, index) => isCleaned[index]).map(({ node, patch }) => [node.name, patch]),
    );
    const nodes = observation.nodes.map((node) => withPatch(node, cleaned.get(node.name)));
    return { ...observation, nodes };
  }

  private hardMarks({ nodes, groups, groupIdByNode, existenceByNode }: Observation): readonly Cleaning[] {
    const marked = nodes.filter(
      ({ name, taints }) => groupIdByNode.has(name) && hasTaint(taints, TO_BE_DELETED_TAINT),
    );
    if (marked.length === 0) return [];
    const uncordon = this.settings.policy.cordonNodeBeforeTerminating ? { unschedulable: false } : {};
    const leaving = new Set(
      groups.flatMap(({ instances }) =>
        instances.filter(({ state }) => state === 'deleting').map(({ id }) => id),
      ),
    );
    return marked
      .filter(({ name, providerId }) => !leaving.has(providerId) && existenceByNode.get(name) !== 'gone')
      .map((node) => ({
        node,
        taint: TO_BE_DELETED_TAINT,
        patch: { removeTaints: [TO_BE_DELETED_TAINT], ...uncordon },
      }));
  }

  /** While soft marks are in use the iteration itself keeps them right. */
  private softMarks({ nodes, nowMs }: Observation): readonly Cleaning[] {
    const { maxBulkSoftTaintCount, deletionCandidateTtlMs } = this.settings.policy;
    if (maxBulkSoftTaintCount > 0) return [];
    const isStale = (node: Node) => {
      const sinceMs = markedAtMs(node, DELETION_CANDIDATE_TAINT);
      return sinceMs === null || nowMs - sinceMs >= deletionCandidateTtlMs;
    };
    const taint = DELETION_CANDIDATE_TAINT;
    return nodes
      .filter((node) => hasTaint(node.taints, taint) && isStale(node))
      .map((node) => ({ node, taint, patch: { removeTaints: [taint] } }));
  }

  private async take({ node, taint, patch }: Cleaning, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      const isChanged = await this.writer.patchNode(node.name, patch, signal);
      if (isChanged) this.tell(node, 'Normal', `removed ${taint} taint from node ${node.name}`);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof ClusterWriteError && error.code === 'not-found') return true;
      const text = `failed to clean ${taint} on node ${node.name}: ${messageOf(error)}`;
      this.tell(node, 'Warning', text);
      this.incidents.happened(INCIDENT, 'marks of a predecessor could not be taken from nodes', error);
      return false;
    }
  }

  private tell(node: Node, type: EventKind, message: string): void {
    const subject = { kind: 'Node' as const, namespace: '', name: node.name, uid: node.uid };
    this.writer.recordEvent({ subject, type, reason: 'ClusterAutoscalerCleanup', message });
  }
}

/** Nobody in this process is deleting it, and its mark is old. */
function isForgotten(node: Node, { deletions, nowMs }: Observation): boolean {
  const isUnderWay = deletions.empty.includes(node.name) || deletions.drained.includes(node.name);
  const sinceMs = markedAtMs(node, TO_BE_DELETED_TAINT);
  return !isUnderWay && (sinceMs === null || nowMs - sinceMs >= FORGOTTEN_MS);
}

/** The node as the API server has it now. */
function withPatch(node: Node, patch: NodePatch | undefined): Node {
  if (patch === undefined) return node;
  const taken = new Set(patch.removeTaints);
  const taints = node.taints.filter(({ key }) => !taken.has(key));
  return { ...node, taints, unschedulable: patch.unschedulable ?? node.unschedulable };
}
