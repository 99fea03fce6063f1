import type { PodAffinityTermObject } from '../../../reference/oracle/api-objects.js';
import type { Random } from '../random.js';
import { HOSTNAME, NAMESPACES, ZONE } from './draft.js';
import type { Feature, WorldDraft } from './draft.js';
import { namespaceSelector, podSelector } from './selectors.js';

const TOPOLOGY_KEYS = [ZONE, ZONE, HOSTNAME, HOSTNAME, 'rack', 'constructor'];

export const spread: Feature = {
  name: 'topology spread',
  pod(pod, random) {
    if (!random.chance(0.6)) return;
    pod.spec.topologySpreadConstraints = random.times(random.pick([1, 1, 1, 2, 3]), () => ({
      topologyKey: random.pick(TOPOLOGY_KEYS),
      maxSkew: random.pick([1, 1, 1, 2, 3, 0, -1]),
      minDomains: random.pick([null, null, null, 1, 2, 3, 5, 0, -1]),
      whenUnsatisfiable: random.pick([
        'DoNotSchedule',
        'DoNotSchedule',
        'DoNotSchedule',
        'ScheduleAnyway',
        'Odd',
      ]),
      labelSelector: podSelector(random),
      matchLabelKeys: random.pick([null, null, ['rev'], ['rev', 'missing'], ['app']]),
      nodeAffinityPolicy: random.pick([null, null, 'Honor', 'Ignore']),
      nodeTaintsPolicy: random.pick([null, null, 'Honor', 'Ignore']),
    }));
  },
};

/** A few namespaces with labels; the rest is unknown. */
function nameNamespaces(world: WorldDraft, random: Random): void {
  if (world.namespaces.length > 0) return;
  world.namespaces = random.some(NAMESPACES, 0.7).map((name) => ({
    metadata: { name, uid: `uid-${name}`, labels: random.pick([{}, { team: 'red' }, { team: 'blue' }]) },
  }));
}

function term(random: Random): PodAffinityTermObject {
  return {
    topologyKey: random.pick(TOPOLOGY_KEYS),
    labelSelector: podSelector(random),
    namespaces: random.pick([null, null, null, [], ['other'], ['default', 'prod'], ['nowhere']]),
    namespaceSelector: random.chance(0.25) ? namespaceSelector(random) : null,
  };
}

const terms = (random: Random) => ({
  requiredDuringSchedulingIgnoredDuringExecution: random.times(random.pick([1, 1, 1, 2]), () => term(random)),
});

export const podAffinity: Feature = {
  name: 'pod affinity',
  world: nameNamespaces,
  pod(pod, random) {
    if (random.chance(0.5)) pod.spec.affinity = { ...pod.spec.affinity, podAffinity: terms(random) };
  },
};

export const podAntiAffinity: Feature = {
  name: 'pod anti-affinity',
  world: nameNamespaces,
  pod(pod, random) {
    if (random.chance(0.4)) pod.spec.affinity = { ...pod.spec.affinity, podAntiAffinity: terms(random) };
  },
};
