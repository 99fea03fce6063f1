import type { Random } from '../random.js';
import type { Feature } from './draft.js';

/** Without these the API has no object, or not this one. `maxSkew` and a container's name are required there. */
const KEPT = ['metadata', 'name', 'uid', 'namespace', 'spec', 'maxSkew', 'allocatable'];

/** Drops fields anywhere, or writes null: every optional field may be missing. */
export const missingFields: Feature = {
  name: 'missing fields',
  node(node, random) {
    if (random.chance(0.5)) prune(node, random);
  },
  pod(pod, random) {
    if (random.chance(0.5)) prune(pod, random);
  },
};

function prune(value: unknown, random: Random): void {
  if (typeof value !== 'object' || value === null) return;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    const isText = typeof record[key] === 'string';
    if (KEPT.includes(key) || Array.isArray(value) || !random.chance(0.04)) prune(record[key], random);
    // A label, an annotation or an amount has no null.
    else if (isText || random.chance(0.5)) Reflect.deleteProperty(record, key);
    else record[key] = null;
  }
}
