import { answerShape } from './answers.js';
import { duration } from './duration.js';
import { object, optional } from './object-shape.js';
import { count, flag, list, mapOf, named, oneOf, parsedText } from './shape.js';
import type { ValueOf } from './shape.js';

export const API_VERBS = [
  'list',
  'watch',
  'get',
  'create',
  'update',
  'patch',
  'delete',
  'evict',
  'writes',
  'any',
];
const API_CALL = /^((list|watch|get|create|update|patch|delete)( [a-z]+)?|evict|writes|any)$/u;

/** `writes`, `evict`, or a verb with a resource: `patch nodes`. */
export const apiCall = () =>
  parsedText({
    noun: 'calls of the Kubernetes API: a verb with or without resource, evict, writes, or any',
    pattern: API_CALL,
    example: 'patch nodes',
    parse: (value) => value,
  });

/** The Kubernetes API as it is from now on; what is not named stays. */
export const apiShape = named(
  'api',
  object('the API', {
    down: optional(flag(), 'Nobody answers.'),
    answers: optional(list(answerShape(apiCall())), 'Scripted answers.'),
    forbids: optional(list(apiCall()), 'Requests that are refused for want of rights; [] ends it.'),
    watches: optional(
      mapOf(oneOf('cut', 'ended', 'silent', 'expired')),
      'What happens to open watches, by resource: {pods: silent}.',
    ),
    lists: optional(
      mapOf(oneOf('stale', 'half', 'empty', 'fresh')),
      'What lists show from now on, by resource: {pods: empty}.',
    ),
    duplicates: optional(count(), 'Every watch event comes so many times more.'),
    reorders: optional(flag(), 'Watch events are overtaken by those of other objects.'),
    eventDelay: optional(duration(), 'Watch events come so much later.'),
    ghosts: optional(flag(), 'Nodes stay when their machines go.'),
    expiredWatches: optional(count(), 'The next so many watches are answered with 410.'),
    tokens: optional(list(parsedText({ noun: 'a token', parse: (value) => value })), 'Accepted tokens.'),
    healthy: optional(flag(), 'true: all of this ends.'),
  }),
);

export type ApiDocument = ValueOf<typeof apiShape>;
