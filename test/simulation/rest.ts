import { POOL_LABEL } from '../../src/sandbox/hetzner-sandbox.js';
import type { HetznerSandbox } from '../../src/sandbox/hetzner-sandbox.js';
import type { Pool } from './pools.js';
import { isFinished, isMovable } from './watchman.js';

/** What should not be so in a world that has been quiet for long, with room for all pods. */
export function unrest(sandbox: HetznerSandbox, pools: readonly Pool[]): readonly string[] {
  return [...marksLeft(sandbox), ...podsLeft(sandbox), ...pools.flatMap((pool) => sizeOf(sandbox, pool))];
}

function marksLeft({ cluster }: HetznerSandbox): readonly string[] {
  return cluster.nodes().flatMap(({ metadata, spec }) => {
    const keys = (spec?.taints ?? []).map(({ key }) => key);
    const marks = keys.filter((key) => key === 'ToBeDeletedByClusterAutoscaler');
    return marks.length > 0 || spec?.unschedulable === true
      ? [`node ${metadata.name} is still marked or cordoned`]
      : [];
  });
}

/** A pod as young as this may still be on its way: its node boots for a minute. */
const YOUNG_POD_MS = 5 * 60_000;

function podsLeft({ cluster, clock }: HetznerSandbox): readonly string[] {
  return cluster
    .pods()
    .filter((pod) => !isFinished(pod) && pod.status?.phase !== 'Running')
    .filter(({ metadata }) => clock.now() - Date.parse(metadata.creationTimestamp) > YOUNG_POD_MS)
    .map(({ metadata, status, spec }) => {
      const where = spec.nodeName === undefined ? 'nowhere' : `on ${spec.nodeName}`;
      return `pod ${metadata.namespace ?? ''}/${metadata.name} is ${status?.phase ?? 'without phase'} ${where}`;
    });
}

function sizeOf({ cluster, cloud }: HetznerSandbox, { name: pool, min, max }: Pool): readonly string[] {
  const servers = cloud.servers().filter(({ labels }) => labels[POOL_LABEL] === pool);
  const busy = new Set(
    cluster
      .pods()
      .filter((pod) => isMovable(pod) && !isFinished(pod))
      .map(({ spec }) => spec.nodeName),
  );
  const idle = servers.filter(({ name }) => !busy.has(name));
  const problems = servers
    .filter(({ status }) => status !== 'running')
    .map(({ name, status }) => `server ${name} of ${pool} is ${status}`);
  if (servers.length > Math.max(min, servers.length - idle.length)) {
    problems.push(
      `${pool} has ${servers.length} servers, ${idle.length} of them idle: ${idle.map(({ name }) => name).join(', ')}`,
    );
  }
  if (servers.length > max) problems.push(`${pool} has ${servers.length} servers, more than ${max}`);
  return problems;
}
