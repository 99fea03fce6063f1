import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readStories, renderScenarioFault, StoryWorld } from '../../sandbox/scenarios/index.js';
import type { Story } from '../../sandbox/scenarios/index.js';
import { VirtualClock } from '../../sandbox/world/index.js';
import { hetznerGuide } from './hetzner-guide.js';
import type { HetznerGroup } from './hetzner-guide.js';
import { paceClock } from './pace-clock.js';
import type { SandboxArguments } from './read-arguments.js';
import type { ServedWorld } from './served-world.js';

/** A scenario file that can't be told; the message has a line for each fault. */
export class ScenarioProblem extends Error {}

/**
 * The world of the first story in a file, at its beginning, with what happens in it by itself; whoever serves it plays
 * the autoscaler's part. Its history before the beginning has passed when this settles.
 */
export async function createStoryWorld(
  path: string,
  { speed, seed }: Pick<SandboxArguments, 'speed' | 'seed'>,
): Promise<ServedWorld> {
  const story = readFirstStory(path);
  // So that the beginning is now: the autoscaler that is pointed at it has no other clock.
  const clock = new VirtualClock(Date.now() - StoryWorld.prehistoryMs(story.world));
  const world = new StoryWorld(story, clock, seed);
  await world.prepare();
  for (const step of story.steps) {
    clock.schedule(Math.max(0, step.at - world.now()), () => world.carryOut(step));
  }
  let pause = (): Promise<void> => Promise.resolve();
  return {
    sandbox: world.sandbox,
    title: `The world of the scenario '${story.name}'`,
    guide: hetznerGuide(groupsOf(world, story), { HCLOUD_IMAGE: 'ubuntu-24.04' }),
    start: () => {
      pause = paceClock(clock, speed);
    },
    stop: async () => {
      await pause();
      world.sandbox.stop();
    },
  };
}

function readFirstStory(path: string): Story {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ScenarioProblem(`the scenario can't be read: ${String(error)}`);
  }
  const result = readStories(basename(path), text);
  if (!result.ok) throw new ScenarioProblem(result.faults.map(renderScenarioFault).join('\n'));
  return result.stories[0]!;
}

function groupsOf(world: StoryWorld, { world: { groups } }: Story): HetznerGroup[] {
  return groups.map((group) => {
    const { typeName: type, location } = world.placeOf(group);
    return { id: group.id, min: group.min ?? 0, max: group.max, type, location };
  });
}
