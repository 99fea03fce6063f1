import { expandCopies } from './format/ranges.js';
import type { Reading } from './format/reading.js';
import type { PodDocument } from './format/pod-shape.js';
import type { CreationDocument, StepDocument, StoryDocument } from './format/story-shape.js';
import type { GroupDocument, NodeDocument, WorldDocument } from './format/world-shape.js';

/** A story as it is played: every range written out, everything in order of time. */
export interface Story extends Omit<StoryDocument, 'world' | 'steps'> {
  readonly world: World;
  readonly steps: readonly Step[];
  readonly untilMs: number;
}

export type World = Omit<WorldDocument, 'groups' | 'nodes' | 'pods'> &
  Additions & { readonly groups: readonly GroupDocument[] };

/** What appears at the beginning or later, with every range written out. */
export type Additions = Omit<CreationDocument, 'nodes' | 'pods'> & {
  readonly nodes: readonly NodeDocument[];
  readonly pods: readonly PodDocument[];
};

export type Step = Omit<StepDocument, 'create'> & { readonly create: Additions | null };

/** A story without steps is over after a minute: six iterations. */
const UNTIL_MS_MIN = 60_000;

export function expandStory(written: StoryDocument, reading: Reading): Story {
  const { world, steps = [], until, ...rest } = written;
  const lastMs = Math.max(0, ...steps.map(({ at }) => at));
  const groups = expandList(world.groups, 'world.groups', reading);
  const additions = expandAdditions(world, 'world', reading);
  const nodes = [...additions.nodes, ...unlistedNodes(groups, additions.nodes, world)];
  return {
    ...rest,
    world: { ...world, ...additions, groups, nodes },
    steps: steps.map((step, index) => ({
      ...step,
      create:
        step.create === undefined ? null : expandAdditions(step.create, `steps[${index}].create`, reading),
    })),
    untilMs: until ?? Math.max(UNTIL_MS_MIN, lastMs),
  };
}

function expandAdditions(written: CreationDocument, field: string, reading: Reading): Additions {
  return {
    ...written,
    nodes: expandList(written.nodes ?? [], `${field}.nodes`, reading),
    pods: expandList(written.pods ?? [], `${field}.pods`, reading),
  };
}

function expandList<Item extends { readonly id: string; readonly x?: number }>(
  items: readonly Item[],
  field: string,
  reading: Reading,
): readonly Item[] {
  return items.flatMap((item, index) => {
    try {
      return expandCopies(item);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      reading.complainOf(`${field}[${index}].id`, {
        problem: error.message,
        remedy: 'write a smaller range',
      });
      return [];
    }
  });
}

/** A group's size may be larger than the list of its nodes: the others are ordinary. */
function unlistedNodes(
  groups: readonly GroupDocument[],
  listed: readonly NodeDocument[],
  { cloud }: WorldDocument,
): readonly NodeDocument[] {
  const names = new Set(listed.map(({ id }) => id));
  return groups.flatMap(({ id, size = 0 }) => {
    const known =
      listed.filter(({ group, machine }) => group === id && machine !== 'gone').length +
      (cloud?.servers ?? []).filter(({ group }) => group === id).length;
    const nodes: NodeDocument[] = [];
    for (let number = 1; known + nodes.length < size; number++) {
      if (!names.has(`${id}-${number}`)) nodes.push({ id: `${id}-${number}`, group: id });
    }
    return nodes;
  });
}
