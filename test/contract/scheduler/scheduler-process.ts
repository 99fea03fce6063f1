import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeSelectorObject } from '../../reference/oracle/api-objects.js';
import type { ApiServerAccess } from '../kubernetes/real-api-server.js';

/** One profile has no arguments, the other one enforces a node affinity of its own. */
export const PLAIN_PROFILE = 'default-scheduler';
export const ENFORCING_PROFILE = 'enforcing-scheduler';
export const ENFORCED: NodeSelectorObject = {
  nodeSelectorTerms: [
    { matchExpressions: [{ key: 'disk', operator: 'In', values: ['a', 'b'] }] },
    { matchExpressions: [{ key: 'rack', operator: 'DoesNotExist' }] },
  ],
};

const STOP_MS_MAX = 10_000;
/** Last characters of the log that an error shows. */
const OUTPUT_SHOWN = 4_000;

export interface RunningScheduler {
  /** What it wrote last. */
  output(): string;
  stop(): Promise<void>;
}

export function hasScheduler(assets: string): boolean {
  return assets !== '' && existsSync(join(assets, 'kube-scheduler'));
}

/** A real kube-scheduler from `assets`, as administrator of `server`, that asks the extender before it binds. */
export function startScheduler(
  assets: string,
  server: ApiServerAccess,
  extenderUrl: string,
): RunningScheduler {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-scheduler-'));
  const kubeconfig = join(folder, 'kubeconfig.json');
  const configuration = join(folder, 'configuration.json');
  const logPath = join(folder, 'kube-scheduler.log');
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(server)), { mode: 0o600 });
  writeFileSync(configuration, JSON.stringify(configurationOf(kubeconfig, extenderUrl)));
  const child = spawn(
    join(assets, 'kube-scheduler'),
    [
      `--config=${configuration}`,
      '--secure-port=0',
      // A pod that was refused stays away: each is judged once.
      '--feature-gates=SchedulerPopFromBackoffQ=false',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = createWriteStream(logPath);
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const closed = once(child, 'close').then(() => log.end());
  return {
    output: () => readFileSync(logPath, 'utf8').slice(-OUTPUT_SHOWN),
    stop: async () => {
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      await closed;
      clearTimeout(patience);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function kubeconfigOf({ url, token }: ApiServerAccess) {
  const name = 'real';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    // The certificate is one that the server made for itself a moment ago, on the loopback interface.
    clusters: [{ name, cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
}

function configurationOf(kubeconfig: string, extenderUrl: string) {
  const profile = (schedulerName: string, addedAffinity?: NodeSelectorObject) => ({
    schedulerName,
    // Nobody is evicted, and the message ends with the filters' reasons.
    plugins: { postFilter: { disabled: [{ name: '*' }] } },
    ...(addedAffinity !== undefined && {
      pluginConfig: [
        {
          name: 'NodeAffinity',
          args: { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: addedAffinity } },
        },
      ],
    }),
  });
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    leaderElection: { leaderElect: false },
    clientConnection: { kubeconfig, qps: 2_000, burst: 4_000 },
    percentageOfNodesToScore: 100,
    podInitialBackoffSeconds: 600,
    podMaxBackoffSeconds: 600,
    profiles: [profile(PLAIN_PROFILE), profile(ENFORCING_PROFILE, ENFORCED)],
    extenders: [{ urlPrefix: extenderUrl, filterVerb: 'filter', nodeCacheCapable: true, httpTimeout: '30s' }],
  };
}
