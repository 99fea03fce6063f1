import { DEFAULT_CLUSTER, DEFAULT_TOKEN } from '../../sandbox/utho/index.js';
import type { CloudGuide } from './cloud-guide.js';

/** The cloud-config and the flags that the published manifest for Utho has. */
export const UTHO_GUIDE: CloudGuide = {
  name: 'Utho',
  flags: (cloudConfig) => [
    ...['--v=4', '--cloud-provider=utho', `--cloud-config=${cloudConfig}`],
    '--node-group-auto-discovery=utho:regexp=.*',
  ],
  environment: () => ({}),
  cloudConfig: (cloudUrl) => ({ cluster_id: DEFAULT_CLUSTER, token: DEFAULT_TOKEN, api_url: `${cloudUrl}/` }),
  goProgram: `The Go program, built with the provider Utho, takes the same file and the same flags. It knows no 'api_url': the
address https://api.utho.com/v2/ in its manager must be replaced by that of the Utho API above before it is built.`,
  accessRules: 'deploy/utho/rbac.yaml',
  trouble: [
    ['/_fake/scenario', { name: 'sold-out' }],
    ['/_fake/settings', { capacity: 'none' }],
  ],
};
