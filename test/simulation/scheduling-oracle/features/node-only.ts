import type { TaintObject, TolerationObject } from '../../../reference/oracle/api-objects.js';
import type { Random } from '../random.js';
import { NODE_KEYS, NODE_NAMES, valueOf } from './draft.js';
import type { Feature } from './draft.js';
import { nodeSelector } from './selectors.js';

const CORDON = 'node.kubernetes.io/unschedulable';

export const cordons: Feature = {
  name: 'cordons',
  node(node, random) {
    if (!random.chance(0.3)) return;
    node.spec.unschedulable = true;
    if (random.chance(0.5))
      node.spec.taints = [...(node.spec.taints ?? []), { key: CORDON, effect: 'NoSchedule' }];
  },
  pod(pod, random) {
    if (!random.chance(0.3)) return;
    const effect = random.pick(['NoSchedule', 'NoExecute', '']);
    const toleration = { key: CORDON, operator: random.pick(['Exists', 'Equal', '']), effect };
    pod.spec.tolerations = [...(pod.spec.tolerations ?? []), toleration];
  },
};

const EFFECTS = ['NoSchedule', 'NoSchedule', 'NoExecute', 'PreferNoSchedule', 'Odd', ''];

function taint(random: Random): TaintObject {
  const value = random.pick(['', '1', '2', '950', '0950', '-0', 'x']);
  return { key: random.pick(['k1', 'k2']), value, effect: random.pick(EFFECTS) };
}

function toleration(random: Random): TolerationObject {
  return {
    key: random.pick(['k1', 'k1', 'k2', 'k2', '']),
    operator: random.pick(['Exists', 'Exists', 'Equal', '', 'Lt', 'Gt', 'exists']),
    value: random.pick(['', '1', '2', '900', '0900', '1e3']),
    effect: random.pick(['', '', 'NoSchedule', 'NoExecute', 'Odd']),
  };
}

export const taints: Feature = {
  name: 'taints',
  world(world, random) {
    world.tolerationComparison = random.chance(0.3);
  },
  node(node, random) {
    const fresh = random.times(random.pick([0, 0, 1, 1, 2]), () => taint(random));
    node.spec.taints = [...(node.spec.taints ?? []), ...fresh];
  },
  pod(pod, random) {
    const fresh = random.times(random.between(0, 2), () => toleration(random));
    pod.spec.tolerations = [...(pod.spec.tolerations ?? []), ...fresh];
  },
};

export const nodeNames: Feature = {
  name: 'node names',
  pod(pod, random) {
    if (random.chance(0.2)) pod.spec.nodeName = random.pick(NODE_NAMES.slice(0, 5));
  },
};

export const nodeAffinity: Feature = {
  name: 'node affinity',
  world(world, random) {
    if (random.chance(0.15)) world.addedAffinity = nodeSelector(random);
  },
  pod(pod, random) {
    if (random.chance(0.3)) {
      const key = random.pick(NODE_KEYS.slice(1));
      pod.spec.nodeSelector = { [key]: valueOf(key, random) };
    }
    if (random.chance(0.4)) {
      const required = nodeSelector(random);
      pod.spec.affinity = {
        ...pod.spec.affinity,
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required },
      };
    }
  },
};

const RESTARTS_ALL = 'RestartAllContainersOnContainerExits';
const USER_NAMESPACES = 'UserNamespacesHostNetworkSupport';

export const declaredFeatures: Feature = {
  name: 'declared features',
  node(node, random) {
    if (random.chance(0.8))
      node.status.declaredFeatures = random.some([RESTARTS_ALL, USER_NAMESPACES, 'Unknown'], 0.6);
  },
  pod(pod, random) {
    if (random.chance(0.3)) {
      pod.spec.hostNetwork = random.chance(0.8);
      pod.spec.hostUsers = random.chance(0.2);
    }
    if (random.chance(0.3)) {
      const rules = [{ action: random.pick(['RestartAllContainers', 'Restart']) }];
      const container = random.chance(0.5) ? pod.spec.containers[0] : pod.spec.initContainers[0];
      if (container !== undefined) container.restartPolicyRules = rules;
    }
  },
};

export const resourceClaims: Feature = {
  name: 'resource claims',
  pod(pod, random) {
    if (random.chance(0.15)) pod.spec.resourceClaims = [{ name: 'gpu', resourceClaimName: 'gpu' }];
  },
};

export const terminatingPods: Feature = {
  name: 'terminating pods',
  pod(pod, random) {
    if (random.chance(0.3)) pod.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  },
};
