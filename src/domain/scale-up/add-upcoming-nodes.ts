import type { NodeTemplate } from '../node-group/node-group.js';
import { copyOfTemplate } from '../node-group/template-copy.js';
import type { ScalingState } from '../readiness/scaling-state.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';

export interface UpcomingNodes {
  /** Group of each placeholder, by its node name. */
  readonly placeholders: ReadonlyMap<string, string>;
  /** Registered nodes that have not started; placeholders stand for them. */
  readonly replaced: readonly string[];
  /** Groups with machines on the way but without a template. */
  readonly withoutTemplate: readonly string[];
}

/** Puts placeholders for machines on the way into the snapshot (`scale-up` 2.4 steps 26 and 27). */
export function addUpcomingNodes(
  snapshot: ClusterSnapshot,
  state: ScalingState,
  templates: ReadonlyMap<string, NodeTemplate>,
): UpcomingNodes {
  const placeholders = new Map<string, string>();
  const replaced: string[] = [];
  const withoutTemplate: string[] = [];
  for (const [groupId, { upcoming }] of state.groups) {
    if (upcoming.count === 0) continue;
    const template = templates.get(groupId);
    if (template === undefined) {
      withoutTemplate.push(groupId);
      continue;
    }
    for (let index = 0; index < upcoming.count; index++) {
      const { node, pods } = copyOfTemplate(template, `upcoming-${index}`);
      snapshot.addNode(node, pods);
      placeholders.set(node.name, groupId);
    }
    for (const name of upcoming.registered) {
      if (!snapshot.hasNode(name)) continue;
      snapshot.removeNode(name);
      replaced.push(name);
    }
  }
  return { placeholders, replaced, withoutTemplate };
}
