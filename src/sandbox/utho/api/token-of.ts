import type { FrontRequest } from '../../world/front.js';
import type { Token } from '../state/records.js';
import type { UthoWorld } from '../state/world.js';

const PREFIX = 'Bearer ';

/** Who asks; null for an unknown key. The key is compared as it is: also a trailing blank makes it another. */
export function tokenOf(world: UthoWorld, { headers }: FrontRequest): Token | null {
  const { authorization = '' } = headers;
  return authorization.startsWith(PREFIX)
    ? (world.tokens.get(authorization.slice(PREFIX.length)) ?? null)
    : null;
}
