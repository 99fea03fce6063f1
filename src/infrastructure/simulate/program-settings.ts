import { DEFAULT_TOKEN } from '../../sandbox/hetzner/index.js';
import { renderDuration } from '../../sandbox/scenarios/index.js';
import type { GroupDocument, Settings, Step, Story } from '../../sandbox/scenarios/index.js';
import type { FlagName } from '../command-line/index.js';

export const KUBERNETES_ORIGIN = 'http://kubernetes.story';
export const HETZNER_ORIGIN = 'http://hetzner.story';

/** Everything that the program is started with. */
export interface ProgramSettings {
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

type Knob = Exclude<keyof Settings, 'flags' | 'environment'>;

/** The flag behind each word of a story. */
const FLAG_OF: Readonly<Record<Knob, FlagName>> = {
  loop: 'scan-interval',
  unneeded: 'scale-down-unneeded-time',
  unreadyTime: 'scale-down-unready-time',
  useThreshold: 'scale-down-utilization-threshold',
  provisionTimeout: 'max-node-provision-time',
  expander: 'expander',
  maxDrain: 'max-drain-parallelism',
  maxEmptyBulk: 'max-scale-down-parallelism',
  cooldownAfterAdd: 'scale-down-delay-after-add',
  cooldownAfterDelete: 'scale-down-delay-after-delete',
  cooldownAfterFailure: 'scale-down-delay-after-failure',
  maxUnreadyPercent: 'max-total-unready-percentage',
  okUnready: 'ok-total-unready-count',
  maxNodesTotal: 'max-nodes-total',
  expendableBelow: 'expendable-pods-priority-cutoff',
  backoffInitial: 'initial-node-group-backoff-duration',
  backoffMax: 'max-node-group-backoff-duration',
  enforceMin: 'enforce-node-group-min-size',
  ignoreDaemonSets: 'ignore-daemonsets-utilization',
  balance: 'balance-similar-node-groups',
  salvo: 'salvo-scale-up',
  newPodDelay: 'new-pod-scale-up-delay',
  lease: 'leader-elect-lease-duration',
  renew: 'leader-elect-renew-deadline',
  retry: 'leader-elect-retry-period',
};

const DURATIONS: ReadonlySet<Knob> = new Set<Knob>([
  'loop',
  'unneeded',
  'unreadyTime',
  'provisionTimeout',
  'cooldownAfterAdd',
  'cooldownAfterDelete',
  'cooldownAfterFailure',
  'backoffInitial',
  'backoffMax',
  'newPodDelay',
  'lease',
  'renew',
  'retry',
]);

const CLOUD_INIT = '#cloud-config\nruncmd: [join]\n';
const IMAGE = 'ubuntu-24.04';
/** Nodes that are said to be unneeded for some time are marked so; the program must believe the marks. */
const MARK_TTL = '24h';

interface SettingsParts {
  readonly story: Story;
  /** Steps until now: what they changed holds from the next start on. */
  readonly steps: readonly Step[];
  readonly placeOf: (group: GroupDocument) => { readonly typeName: string; readonly location: string };
}

/** Flags and environment, as an operator would write them for the groups and settings of the story. */
export function programSettings({ story, steps, placeOf }: SettingsParts): ProgramSettings {
  const settings = merged([story.settings ?? {}, ...steps.map((step) => step.settings ?? {})]);
  const groups = story.world.groups.map((group) => withLimits(group, steps));
  const pools = groups.map((group) => {
    const { typeName, location } = placeOf(group);
    return `--nodes=${group.min ?? 0}:${group.max}:${typeName}:${location}:${group.id}`;
  });
  const isMarked = story.world.nodes.some(({ unneeded }) => unneeded !== undefined);
  return {
    flags: [
      ...(isMarked ? [`--node-deletion-candidate-ttl=${MARK_TTL}`] : []),
      '--cloud-provider=hetzner',
      `--kubernetes=${KUBERNETES_ORIGIN}?inClusterConfig=false`,
      '--logging-format=json',
      '-v=1',
      ...pools,
      ...flagsOf(settings),
    ],
    environment: {
      HCLOUD_TOKEN: DEFAULT_TOKEN,
      HCLOUD_ENDPOINT: `${HETZNER_ORIGIN}/v1`,
      HCLOUD_IMAGE: IMAGE,
      // Templates are then exactly what the nodes of a story are.
      HCLOUD_MEMORY_OVERHEAD: 'none',
      HCLOUD_CLUSTER_CONFIG: Buffer.from(JSON.stringify(clusterConfig(groups))).toString('base64'),
      ...Object.fromEntries(settings.environment ?? []),
    },
  };
}

function merged(all: readonly Settings[]): Settings {
  return all.reduce<Settings>(
    (before, change) => ({
      ...before,
      ...change,
      flags: new Map([...(before.flags ?? []), ...(change.flags ?? [])]),
      environment: new Map([...(before.environment ?? []), ...(change.environment ?? [])]),
    }),
    {},
  );
}

function withLimits(group: GroupDocument, steps: readonly Step[]): GroupDocument {
  return steps.reduce((before, { groups }) => ({ ...before, ...groups?.get(group.id) }), group);
}

function flagsOf({ flags, ...settings }: Settings): readonly string[] {
  const named = Object.entries(settings).flatMap(([name, value]) => {
    if (!isKnob(name)) return [];
    const text = DURATIONS.has(name)
      ? renderDuration(value as number)
      : `${value as string | number | boolean}`;
    return [`--${FLAG_OF[name]}=${text}`];
  });
  const others = [...(flags ?? [])].flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map((one) => `--${name}=${String(one)}`),
  );
  return [...named, ...others];
}

function isKnob(name: string): name is Knob {
  return Object.hasOwn(FLAG_OF, name);
}

function clusterConfig(groups: readonly GroupDocument[]): object {
  const nodeConfigs = Object.fromEntries(
    groups.map(({ id, cloudInit = CLOUD_INIT, labels, taints, placementGroup, options }) => [
      id,
      {
        cloudInit,
        ...(labels !== undefined && { labels: Object.fromEntries(labels) }),
        ...(taints !== undefined && { taints }),
        ...(placementGroup !== undefined && { placementGroup }),
        ...(options !== undefined && { autoscalingOptions: Object.fromEntries(options) }),
      },
    ]),
  );
  return { nodeConfigs };
}
