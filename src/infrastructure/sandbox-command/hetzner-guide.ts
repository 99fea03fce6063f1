import { DEFAULT_TOKEN } from '../../sandbox/hetzner/index.js';
import type { CloudGuide } from './cloud-guide.js';

const CLOUD_INIT = Buffer.from('#cloud-config\nruncmd:\n  - join-the-cluster\n').toString('base64');

/** The environment and the flags that a manifest for Hetzner has. */
export function hetznerGuide(
  groups: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): CloudGuide {
  return {
    name: 'Hetzner',
    flags: () => ['--cloud-provider=hetzner', '--stderrthreshold=info', ...groups],
    environment: (cloudUrl) => ({
      HCLOUD_TOKEN: DEFAULT_TOKEN,
      HCLOUD_ENDPOINT: cloudUrl,
      HCLOUD_CLOUD_INIT: CLOUD_INIT,
      ...environment,
    }),
    cloudConfig: () => null,
    goProgram:
      'The Go program, built with the provider Hetzner, takes the same environment and the same flags:',
    accessRules: 'deploy/hetzner/rbac.yaml',
    trouble: [['/_fake/stock', { type: 'cpx11', location: 'fsn1', count: 0 }]],
  };
}
