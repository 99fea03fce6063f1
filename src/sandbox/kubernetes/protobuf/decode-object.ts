import type { Manifest } from '../objects/object.js';
import { microTimestamp, timestamp } from '../objects/time.js';
import { CORE_MESSAGES } from './core-messages.js';
import { GROUP_MESSAGES } from './group-messages.js';
import { META_MESSAGES } from './meta-messages.js';
import { parseFields } from './message-table.js';
import type { MessageField } from './message-table.js';
import { POD_MESSAGES } from './pod-messages.js';
import { WireError, wireFields } from './wire-reader.js';

/** What a client sent may be right, but the sandbox does not know it; it loses nothing silently. */
export class UnknownMessageError extends Error {}

/** Before every Kubernetes object in protobuf. */
const MAGIC = Buffer.from('k8s\0');

const TEXTS = { ...META_MESSAGES, ...CORE_MESSAGES, ...POD_MESSAGES, ...GROUP_MESSAGES };
const parsed = new Map<string, ReadonlyMap<number, MessageField>>();

/**
 * An object of a request in Kubernetes' protobuf, as JSON would have it. Typed clients of Go send it by default, and so
 * do `kubectl create deployment` and its like. Throws a {@link WireError} or an {@link UnknownMessageError}.
 */
export function decodeObject(bytes: Buffer): Manifest {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new WireError('not a Kubernetes object');
  let raw: Buffer = Buffer.alloc(0);
  let type: Readonly<Record<string, unknown>> = {};
  for (const { number, value } of wireFields(bytes.subarray(MAGIC.length))) {
    if (number === 1) type = decode('TypeMeta', bytesOf(value));
    if (number === 2) raw = bytesOf(value);
  }
  const { apiVersion, kind } = type;
  if (typeof kind !== 'string' || kind === '') throw new WireError('an object without a kind');
  return { apiVersion, kind, ...decode(kind, raw) } as Manifest;
}

function fieldsOf(message: string): ReadonlyMap<number, MessageField> {
  const known = parsed.get(message);
  if (known !== undefined) return known;
  const text = Object.hasOwn(TEXTS, message) ? TEXTS[message] : undefined;
  if (text === undefined) throw new UnknownMessageError(`the sandbox reads no ${message} in protobuf`);
  const fields = parseFields(text);
  parsed.set(message, fields);
  return fields;
}

function decode(message: string, bytes: Buffer): Record<string, unknown> {
  const fields = fieldsOf(message);
  const result: Record<string, unknown> = {};
  for (const { number, value } of wireFields(bytes)) {
    const field = fields.get(number);
    if (field === undefined) {
      throw new UnknownMessageError(`the sandbox knows no field ${number} of ${message} in protobuf`);
    }
    put(result, field, value);
  }
  return result;
}

function put(result: Record<string, unknown>, field: MessageField, value: bigint | Buffer): void {
  const { name, type, shape, optional } = field;
  if (type === '-') return;
  if (shape === 'list') {
    const list = (result[name] ??= []) as unknown[];
    list.push(decodeValue(type, value));
  } else if (shape === 'map') {
    const map = (result[name] ??= {}) as Record<string, unknown>;
    const [key, content] = mapEntry(type, bytesOf(value));
    map[key] = content;
  } else {
    const content = decodeValue(type, value);
    if (name === '...') Object.assign(result, content);
    else if (optional || !isEmpty(content)) result[name] = content;
  }
}

/** What Go leaves out of JSON (`omitempty`), though it stands in protobuf. */
function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function mapEntry(type: string, bytes: Buffer): [string, unknown] {
  let key = '';
  let content: unknown = type === 's' ? '' : null;
  for (const { number, value } of wireFields(bytes)) {
    if (number === 1) key = bytesOf(value).toString('utf8');
    if (number === 2) content = decodeValue(type, value);
  }
  return [key, content];
}

function decodeValue(type: string, value: bigint | Buffer): unknown {
  switch (type) {
    case 's':
      return bytesOf(value).toString('utf8');
    case 'i':
      return Number(value);
    case 'b':
      return value === 1n;
    case 'y':
      return bytesOf(value).toString('base64');
    case 'T':
      return decodeTime(bytesOf(value), timestamp);
    case 'M':
      return decodeTime(bytesOf(value), microTimestamp);
    case 'Q':
      return decode('Quantity', bytesOf(value))['string'] ?? '0';
    case 'N':
      return decodeNumberOrText(bytesOf(value));
    default:
      return decode(type, bytesOf(value));
  }
}

/** Null: no time. Milliseconds are enough for a stage. */
function decodeTime(bytes: Buffer, write: (ms: number) => string): string | null {
  const { seconds, nanos = 0 } = decode('Time', bytes) as { seconds?: number; nanos?: number };
  return seconds === undefined ? null : write(seconds * 1_000 + Math.floor(nanos / 1_000_000));
}

function decodeNumberOrText(bytes: Buffer): number | string {
  const {
    type,
    intVal = 0,
    strVal = '',
  } = decode('IntOrString', bytes) as {
    type?: number;
    intVal?: number;
    strVal?: string;
  };
  return type === 1 ? strVal : intVal;
}

function bytesOf(value: bigint | Buffer): Buffer {
  if (typeof value === 'bigint') throw new WireError('a number where a message should be');
  return value;
}
