import { CPU, EPHEMERAL_STORAGE, MEMORY } from './resources.js';
import { isQualifiedName } from './qualified-name.js';

const MEMO_ENTRIES_MAX = 1_024; // Names come from users; a cluster has a few dozen.
const memo = new Map<string, boolean>();

/** Whether the scheduler counts the resource (`scheduling` 1.4); slots (`pods`) are counted apart. */
export function isCountedResource(name: string): boolean {
  const known = memo.get(name);
  if (known !== undefined) return known;
  const counted = name === CPU || name === MEMORY || name === EPHEMERAL_STORAGE || isScalar(name);
  if (memo.size >= MEMO_ENTRIES_MAX) memo.clear();
  memo.set(name, counted);
  return counted;
}

function isScalar(name: string): boolean {
  if (isHugePages(name) || name.startsWith('attachable-volumes-') || name.includes('kubernetes.io/')) {
    return true;
  }
  // The API server checks an extended resource's name with the prefix that quotas put before it.
  return name.includes('/') && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`);
}

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Resources that `spec.resources` of a pod may name; others are ignored there. */
export function isPodLevelResource(name: string): boolean {
  return name === CPU || name === MEMORY || isHugePages(name);
}
