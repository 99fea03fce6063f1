import type { Plugin } from './plugin.js';

/** `scheduling` 3.12, first version: a pod with resource claims can't be simulated and fits nowhere. */
export const dynamicResources: Plugin = {
  name: 'DynamicResources',
  preFilter({ pod }) {
    const claims = pod.spec?.resourceClaims ?? [];
    return claims.length === 0 ? null : { rejection: 'object not found: dra manager is disabled' };
  },
  filter: () => [],
};
