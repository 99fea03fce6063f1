import type { Route } from '../api/router.js';
import { actionRoutes } from './actions.js';
import { catalogueRoutes } from './catalogue.js';
import { placementGroupRoutes } from './placement-groups.js';
import { primaryIpRoutes } from './primary-ips.js';
import { serverActionRoutes } from './server-actions.js';
import { serverRoutes } from './servers.js';
import type { Services } from './services.js';

/** Everything under `/v1`. */
export function allRoutes(services: Services): readonly Route[] {
  return [
    ...serverRoutes(services),
    ...serverActionRoutes(services),
    ...actionRoutes(services),
    ...placementGroupRoutes(services),
    ...primaryIpRoutes(services),
    ...catalogueRoutes(services),
  ];
}
