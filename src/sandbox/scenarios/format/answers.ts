import { duration, parseDuration } from './duration.js';
import { object, optional, required } from './object-shape.js';
import { count, parsedText, text } from './shape.js';
import type { Shape, ValueOf } from './shape.js';

/** What comes instead of an answer, or with it. */
export type AnswerKind =
  /** An error of the service, by its code, or by its status alone. */
  | { readonly kind: 'error'; readonly status: number | null; readonly code: string | null }
  /** The request is carried out, the answer is lost on its way. */
  | { readonly kind: 'lost' }
  /** The connection is refused. */
  | { readonly kind: 'refused' }
  /** Nothing ever comes. */
  | { readonly kind: 'silence' }
  /** Everything comes later. */
  | { readonly kind: 'slow'; readonly ms: number };

const ANSWER = /^(lost|refused|silence|slow \S+|HTTP [45]\d\d( [a-z_]+)?|[a-z][a-z_]+)$/u;

function answerKind(): Shape<AnswerKind> {
  return parsedText({
    noun: 'an answer: lost, refused, silence, slow 5s, HTTP 500, or an error code',
    pattern: ANSWER,
    example: 'resource_unavailable',
    parse: (value): AnswerKind => {
      const [word, argument, code = null] = value.split(' ');
      if (word === 'lost' || word === 'refused' || word === 'silence') return { kind: word };
      if (word === 'HTTP') return { kind: 'error', status: Number(argument), code };
      if (word !== 'slow') return { kind: 'error', status: null, code: word! };
      const ms = parseDuration(argument!);
      if (ms === null) throw new RangeError(`${argument!} is no duration`);
      return { kind: 'slow', ms };
    },
  });
}

/** The answers of one service from now on; the last said holds first. */
export function answerShape(whom: Shape<string>) {
  return object('an answer', {
    to: required(whom, 'Which requests.'),
    is: required(answerKind(), 'What comes: an error code, HTTP 500, lost, refused, silence, slow 5s.'),
    group: optional(text(), 'Only requests that name this group.'),
    times: optional(count(1), 'How often. Default: always.'),
    after: optional(count(), 'Requests that are let through at first.'),
    for: optional(duration(), 'It ends so long after now.'),
  });
}

export type AnswerDocument = ValueOf<ReturnType<typeof answerShape>>;
