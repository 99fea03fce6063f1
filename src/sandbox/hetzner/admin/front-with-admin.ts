import type { Front } from '../../world/front.js';
import type { HetznerCloud } from '../hetzner-cloud.js';
import { AdminApi } from './admin-api.js';

/** The simulated API under `/v1`, and the admin interface under `/_fake`, as one service. */
export function frontWithAdmin(cloud: HetznerCloud): Front {
  const admin = new AdminApi(cloud);
  return {
    handle: (request) => (request.path.startsWith('/_fake/') ? admin : cloud.front).handle(request),
  };
}
