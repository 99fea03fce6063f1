import { DEFAULT_TOKEN } from '../../sandbox/hetzner/index.js';
import type { CloudGuide } from './cloud-guide.js';

const CLOUD_INIT = Buffer.from('#cloud-config\nruncmd:\n  - join-the-cluster\n').toString('base64');

/** A node group as flags name it. */
export interface HetznerGroup {
  readonly id: string;
  readonly min: number;
  readonly max: number;
  readonly type: string;
  readonly location: string;
}

/** The environment and the flags that a manifest for Hetzner has. The first group is the one that trouble befalls. */
export function hetznerGuide(
  groups: readonly HetznerGroup[],
  environment: Readonly<Record<string, string>> = {},
): CloudGuide {
  return {
    name: 'Hetzner',
    flags: () => ['--cloud-provider=hetzner', '--stderrthreshold=info', ...groups.map(flagOf)],
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
    trouble: groups.slice(0, 1).flatMap(({ type, location }) => {
      const stock = { type: type.toLowerCase(), location: location.toLowerCase() };
      return [
        ['/_fake/stock', { ...stock, count: 0 }],
        ['/_fake/stock', { ...stock, count: null }],
      ] as const;
    }),
  };
}

function flagOf({ min, max, type, location, id }: HetznerGroup): string {
  return `--nodes=${min}:${max}:${type}:${location}:${id}`;
}
