import { apiShape } from './api-shape.js';
import { cloudShape } from './cloud-shape.js';
import { duration } from './duration.js';
import { expectShape } from './expect-shape.js';
import { object, optional, required } from './object-shape.js';
import { owner } from './pod-shape.js';
import { settingsShape } from './settings-shape.js';
import { count, either, list, mapOf, parsedText, text } from './shape.js';
import type { ValueOf } from './shape.js';
import { labels, taints } from './texts.js';
import { ADDITION_SPELLINGS, additions, worldShape } from './world-shape.js';

const PROGRAM = /^(start|stop|kill)( [a-z0-9-]+)?$/u;

const programAct = () =>
  parsedText({
    noun: 'start, stop or kill, with or without the name of a replica',
    pattern: PROGRAM,
    example: 'kill',
    parse: (value) => {
      const [act, replica = 'evenkeel-0'] = value.split(' ');
      return { act: act as 'start' | 'stop' | 'kill', replica };
    },
  });

const deletionShape = object('deletions', {
  pods: optional(list(text()), 'Pods by name.'),
  nodes: optional(list(text()), 'Node objects; their machines stay.'),
  servers: optional(list(text()), 'Machines, as by hand in the console.'),
  owners: optional(list(owner()), 'Controllers with their pods.'),
  budgets: optional(list(text()), 'PodDisruptionBudgets by name.'),
});

const limitsShape = object('limits', {
  min: optional(count(), 'New minimum.'),
  max: optional(count(1), 'New maximum.'),
  cloudInit: optional(text(), 'New boot script.'),
});

const stepShape = object(
  'a step',
  {
    at: required(duration(), 'Time since the start of the story.'),
    note: optional(text(), 'For readers, and printed.'),
    create: optional(object('creations', additions, ADDITION_SPELLINGS), 'What appears.'),
    delete: optional(deletionShape, 'What disappears.'),
    scale: optional(mapOf(count()), 'Replicas of owners: {rs/web: 3}.'),
    fail: optional(list(text()), 'Nodes whose kubelet falls silent.'),
    taint: optional(mapOf(taints()), 'Taints added to nodes.'),
    untaint: optional(mapOf(list(text())), 'Keys of taints taken off nodes.'),
    label: optional(mapOf(labels()), 'Labels set on nodes.'),
    cordon: optional(list(text()), 'Nodes to cordon.'),
    uncordon: optional(list(text()), 'Nodes to uncordon.'),
    cloud: optional(cloudShape, 'How the cloud is from now on.'),
    api: optional(apiShape, 'How the Kubernetes API is from now on.'),
    program: optional(
      either(programAct(), list(programAct())),
      'start, stop (SIGTERM) or kill (no chance to tidy up), with the name of a replica if there are several.',
    ),
    settings: optional(settingsShape, 'Settings that change, for the next start.'),
    groups: optional(mapOf(limitsShape), 'Limits of groups that change, for the next start.'),
    expect: optional(expectShape, 'What must be true now, about the time since the last look.'),
  },
  { cfg: 'settings', apiserver: 'api', t: 'at' },
);

export const storyShape = object(
  'a story',
  {
    name: required(
      text({ pattern: /^[a-z0-9][a-z0-9-]*$/u, example: 'u001-stock-out' }),
      'Short name, as that of the file.',
    ),
    case: optional(text(), 'Number of the user case that it tells.'),
    about: optional(text(), 'What it shows.'),
    pending: optional(text(), 'Why it does not hold yet. It then spoils no exit code.'),
    seed: optional(either(count(), text()), 'Seed of all chances. Default 1.'),
    settings: optional(settingsShape, 'Settings of the autoscaler.'),
    world: required(worldShape, 'The world at 0s, when the autoscaler starts.'),
    steps: optional(list(stepShape), 'What happens, in order of time.'),
    until: optional(duration(), 'End of the story. Default: the last step, but at least 1m.'),
    expect: required(expectShape, 'What must be true at the end, about the whole story.'),
  },
  { cfg: 'settings', t: 'steps', description: 'about' },
);

export type StoryDocument = ValueOf<typeof storyShape>;
export type StepDocument = ValueOf<typeof stepShape>;
export type CreationDocument = NonNullable<StepDocument['create']>;
export type DeletionDocument = NonNullable<StepDocument['delete']>;
export type ProgramAct = ValueOf<ReturnType<typeof programAct>>;

/** Acts of a step as a list. */
export function programActs({ program = [] }: Pick<StepDocument, 'program'>): readonly ProgramAct[] {
  return Array.isArray(program) ? (program as readonly ProgramAct[]) : [program as ProgramAct];
}
