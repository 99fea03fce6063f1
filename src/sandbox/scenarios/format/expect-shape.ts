import { apiCall } from './api-shape.js';
import { cloudCall } from './cloud-shape.js';
import { decision } from './decision.js';
import { duration } from './duration.js';
import { object, optional, required } from './object-shape.js';
import { count, flag, list, mapOf, named, oneOf, parsedText, text } from './shape.js';
import type { Shape, ValueOf } from './shape.js';

const SUBJECT = /^(pod|node|group) \S+$/u;

const subject = () =>
  parsedText({
    noun: 'a subject: pod, node or group and its name',
    pattern: SUBJECT,
    example: "'node a-1'",
    parse: (value) => value,
  });

const howOften = {
  times: optional(count(), 'Exactly so often.'),
  atLeast: optional(count(), 'Default 1, if times and atMost are absent.'),
  atMost: optional(count(), 'At most so often.'),
};

const callsShape = (calls: Shape<string>) =>
  object('calls', {
    to: required(calls, 'Which calls.'),
    group: optional(text(), 'Only those that name this group.'),
    mentions: optional(text(), 'Only those whose path or body has this text.'),
    from: optional(duration(), 'Only those after this time of the story.'),
    until: optional(duration(), 'Only those before this time of the story.'),
    ...howOften,
  });

const reasonShape = object('a reason', {
  about: required(subject(), 'Whom the reason is about.'),
  rule: optional(text(), 'Code of the rule that spoke.'),
  says: optional(text(), 'A part of its text.'),
  never: optional(flag(), 'true: it must not have been given.'),
});

const logShape = object('log lines', {
  event: optional(text(), 'Their event id.'),
  says: optional(text(), 'A part of their message.'),
  ...howOften,
});

const eventShape = object('events', {
  reason: required(text(), 'Their reason.'),
  about: optional(text(), 'Name of the object.'),
  says: optional(text(), 'A part of their message.'),
  ...howOften,
});

const stateShape = object('the state', {
  servers: optional(mapOf(count()), 'Servers in the cloud, by group.'),
  nodes: optional(list(text()), 'Names of all nodes; * stands for any characters.'),
  nodeCount: optional(count(), 'Number of all nodes.'),
  pods: optional(
    mapOf(oneOf('running', 'waiting', 'gone', 'on-a-node')),
    'Pods by name or, with *, all of that pattern.',
  ),
  podsOf: optional(mapOf(count()), 'Running pods of an owner: {rs/web: 3}.'),
  marks: optional(list(text()), 'Nodes that are marked as being deleted. [] for none.'),
  softMarks: optional(list(text()), 'Nodes that are marked as candidates. [] for none.'),
  cordoned: optional(list(text()), 'Nodes that are cordoned. [] for none.'),
  status: optional(list(text()), 'Texts that the status ConfigMap has.'),
  leader: optional(text(), 'Replica that holds the lease.'),
});

/** What must be true: of the time since the last look for a step, of the whole story for the story. */
export const expectShape = named(
  'expectations',
  object('expectations', {
    decisions: optional(list(decision()), 'All decisions, and no others: [ADD dear+2]. [NONE] for none.'),
    among: optional(list(decision()), 'Decisions that must be there, beside others.'),
    never: optional(list(decision()), 'Decisions that must not be there.'),
    reasons: optional(list(reasonShape), 'Reasons that must have been given.'),
    log: optional(list(logShape), 'Lines of the log.'),
    events: optional(list(eventShape), 'Kubernetes events of the autoscaler.'),
    cloudCalls: optional(list(callsShape(cloudCall())), 'Calls to the cloud.'),
    apiCalls: optional(list(callsShape(apiCall())), 'Calls to the Kubernetes API.'),
    state: optional(stateShape, 'How the world is at that moment.'),
  }),
);

export type Expectations = ValueOf<typeof expectShape>;
export type ReasonExpectation = ValueOf<typeof reasonShape>;
export type LogExpectation = ValueOf<typeof logShape>;
export type EventExpectation = ValueOf<typeof eventShape>;
export type CallExpectation = ValueOf<ReturnType<typeof callsShape>>;
export type StateExpectation = ValueOf<typeof stateShape>;
export type HowOften = Pick<LogExpectation, 'times' | 'atLeast' | 'atMost'>;
