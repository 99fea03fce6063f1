import type { Front } from '../../world/front.js';
import type { UthoCloud } from '../utho-cloud.js';
import { AdminApi } from './admin-api.js';

/** The simulated API under `/v2`, and the admin interface under `/_fake`, as one service. */
export function frontWithAdmin(cloud: UthoCloud): Front {
  const admin = new AdminApi(cloud);
  const isOwn = (path: string): boolean => path === '/_fake' || path.startsWith('/_fake/');
  return { handle: (request) => (isOwn(request.path) ? admin : cloud.front).handle(request) };
}
