import type { PodDocument } from '../format/pod-shape.js';
import type { DaemonSetDocument, NodeDocument } from '../format/world-shape.js';

interface Room {
  readonly cpu: number;
  readonly mem: number;
}

interface Others {
  readonly pods: readonly PodDocument[];
  readonly daemonSets: readonly DaemonSetDocument[];
}

const EMPTY: Room = { cpu: 0, mem: 0 };

/** Pods of ReplicaSets that stand for `full` and `used`. Equal ones share a ReplicaSet. */
export class Fillers {
  private readonly sets = new Map<string, string>();

  podsFor(
    nodes: readonly NodeDocument[],
    { pods, daemonSets }: Others,
    roomOf: (node: NodeDocument) => Room,
  ): readonly PodDocument[] {
    const taken = takenByNode(pods);
    const agents = daemonSets.map(({ cpu = 0, mem = 0 }) => ({ cpu, mem })).reduce(sum, EMPTY);
    return nodes.flatMap((node) => {
      const use = useOf(node, roomOf(node), sum(taken.get(node.id) ?? EMPTY, agents));
      return use === null ? [] : [{ id: `use-of-${node.id}`, on: node.id, owner: this.setFor(use), ...use }];
    });
  }

  private setFor({ cpu, mem }: Room): string {
    const key = `${cpu}/${mem}`;
    let name = this.sets.get(key);
    if (name === undefined) {
      name = `rs/use-${this.sets.size + 1}`;
      this.sets.set(key, name);
    }
    return name;
  }
}

function useOf({ full, used }: NodeDocument, room: Room, taken: Room): Room | null {
  if (full === true) return { cpu: round(room.cpu - taken.cpu), mem: room.mem - taken.mem };
  return used === undefined ? null : { cpu: used.cpu ?? 0, mem: used.mem ?? 0 };
}

function takenByNode(pods: readonly PodDocument[]): ReadonlyMap<string, Room> {
  const taken = new Map<string, Room>();
  for (const { on, cpu = 0, mem = 0 } of pods) {
    if (on !== undefined) taken.set(on, sum(taken.get(on) ?? EMPTY, { cpu, mem }));
  }
  return taken;
}

function sum(left: Room, right: Room): Room {
  return { cpu: left.cpu + right.cpu, mem: left.mem + right.mem };
}

/** Whole millicores. */
function round(cpu: number): number {
  return Math.floor(cpu * 1_000) / 1_000;
}
