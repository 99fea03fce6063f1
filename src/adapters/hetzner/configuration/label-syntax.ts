import { isPrefixedName } from '../../cloud-configuration/index.js';

const HETZNER_PREFIX = /^[a-z0-9A-Z]([a-z0-9A-Z\-_.]{0,251}[a-z0-9A-Z])?$/;

/** Key of a label in Hetzner Cloud (`hetzner` 2.3); the prefix `hetzner.cloud/` is reserved there. */
export function isHetznerKey(key: string): boolean {
  return isPrefixedName(key, HETZNER_PREFIX) && !key.startsWith('hetzner.cloud/');
}
