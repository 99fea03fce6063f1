import type { SeededRandom } from '../../world/seeded-random.js';

/** The API server's alphabet for generated names: no vowels, so no words. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
/** Room for the suffix within the 63 characters of a label value. */
const BASE_MAX = 58;

export function generatedName(random: SeededRandom, base: string): string {
  return base.slice(0, BASE_MAX) + randomSuffix(random, 5);
}

export function randomSuffix(random: SeededRandom, length: number): string {
  return Array.from({ length }, () => ALPHABET[random.int(ALPHABET.length)]!).join('');
}

/** A version 4 UUID. */
export function newUid(random: SeededRandom): string {
  const digits = random.hex(32);
  const variant = '89ab'[random.int(4)]!;
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`];
  return [...parts, `${variant}${digits.slice(17, 20)}`, digits.slice(20)].join('-');
}

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Whether the API takes it as the name of an object; RBAC names are freer. */
export function isLegalName(group: string, name: string): boolean {
  if (group === 'rbac.authorization.k8s.io') return !/[/%]/.test(name) && name !== '.' && name !== '..';
  return name.length <= 253 && SUBDOMAIN.test(name);
}
