import type { PodTemplate } from '../objects/types.js';

/** The API server's alphabet for names, so that the hash reads like a real one. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Short name of a pod template: equal templates have equal hashes (FNV-1a, 32 bits). */
export function templateHash(template: PodTemplate): string {
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify(template)) {
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash.toString(10).replace(/\d/g, (digit) => ALPHABET[Number(digit)]!);
}
