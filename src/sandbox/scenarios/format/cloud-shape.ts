import { answerShape } from './answers.js';
import { duration } from './duration.js';
import { object, optional, required } from './object-shape.js';
import { amount, count, either, flag, list, mapOf, named, oneOf, parsedText, text } from './shape.js';
import type { ValueOf } from './shape.js';
import { labels, names } from './texts.js';

export const CLOUD_CALLS = ['create', 'delete', 'list', 'types', 'actions', 'any'] as const;
const CLOUD_CALL = /^(create|delete|list|types|actions|any|(GET|POST|PUT|DELETE) \/\S*)$/u;

/** `create`, or method and path of Hetzner's API below `/v1`. */
export const cloudCall = () =>
  parsedText({
    noun: `calls of the cloud: ${CLOUD_CALLS.join(', ')}, or method and path`,
    pattern: CLOUD_CALL,
    example: 'create',
    parse: (value) => value,
  });

const offerShape = object('an offer', {
  available: optional(flag(), 'What the catalogue says. Default true.'),
  endsIn: optional(duration(), 'The catalogue says that its sale ends so long from now.'),
});

const typeShape = object(
  'a machine type',
  {
    cpu: required(amount(), 'Cores.'),
    mem: required(amount(), 'GB of memory.'),
    disk: optional(amount(), 'GB of disk. Default 40.'),
    price: optional(amount(), 'Per hour.'),
    locations: optional(mapOf(offerShape), 'Where it is sold. Default fsn1, nbg1, hel1.'),
  },
  { cores: 'cpu', memory: 'mem' },
);

const serverShape = object('a server', {
  name: required(names(), 'Name.'),
  group: optional(text(), 'Its group, by label.'),
  type: optional(text(), 'Default: that of its group, or cx33.'),
  location: optional(text(), 'Default: that of its group, or fsn1.'),
  labels: optional(labels(), 'Further labels.'),
  age: optional(duration(), 'Default 1h.'),
  joins: optional(flag(), 'A node joins from it. Default false.'),
});

const actionShape = object('a fate of actions', {
  command: required(text(), 'Command of the action: create_server, start_server, delete_server, …'),
  is: required(either(oneOf('stuck'), text()), 'stuck, or the error code with which it ends.'),
  times: optional(count(1), 'How often. Default 1.'),
});

/** The cloud as it is from now on; what is not named stays. */
export const cloudShape = named(
  'cloud',
  object(
    'the cloud',
    {
      stock: optional(
        mapOf(either(count(), oneOf('plenty'))),
        'Machines left to buy, by group or by type@location: {cheap: 0}.',
      ),
      answers: optional(list(answerShape(cloudCall())), 'Scripted answers.'),
      actions: optional(list(actionShape), 'What becomes of the next actions.'),
      boots: optional(
        mapOf(either(duration(), oneOf('never'))),
        'Time from power-on to the Node object of machines bought from now on, by group.',
      ),
      types: optional(mapOf(typeShape), 'Machine types that the catalogue has, too.'),
      servers: optional(list(serverShape), 'Servers beside those of nodes.'),
      createTakes: optional(duration(), 'Time to make a server.'),
      deleteTakes: optional(duration(), 'Time to delete a server.'),
      listLag: optional(duration(), 'Lists show the past.'),
      rateLimit: optional(count(1), 'Calls an hour. Default 3600.'),
      serverQuota: optional(count(), 'Servers of the project, at most. Default 10000.'),
      healthy: optional(flag(), 'true: all scripted answers and fates end, and all is in stock.'),
    },
    { limit: 'rateLimit', quota: 'serverQuota' },
  ),
);

export type CloudDocument = ValueOf<typeof cloudShape>;
export type CloudServerDocument = ValueOf<typeof serverShape>;
export type CloudTypeDocument = ValueOf<typeof typeShape>;
