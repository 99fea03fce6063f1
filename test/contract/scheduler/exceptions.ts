import type {
  ClaimObject,
  LabelSelectorObject,
  PodAffinityTermObject,
  PodObject,
} from '../../reference/oracle/api-objects.js';
import { findNamed, nameOf, namespaceOf } from '../../reference/oracle/cluster.js';
import type { Cluster } from '../../reference/oracle/cluster.js';
import { parseQuantity } from '../../reference/oracle/quantity.js';
import type { Judgement } from './expected-judgement.js';

/** A difference between the program and this release of the scheduler that is known and wanted. */
export interface Exception {
  readonly name: string;
  /** Null: it does not explain what the scheduler said. */
  explain(pod: PodObject, cluster: Cluster, scheduler: Judgement): Explanation | null;
}

/** The pod that must be judged alike in place of the judged one, if there is such a pod. */
type Explanation = { readonly judgedAs: PodObject | null };

/**
 * `scheduling` 3.11, kubernetes/kubernetes#141526: in 1.34 and some later releases a namespace selector of nothing but
 * NotIn and DoesNotExist, of the pod that is judged, is also held against a namespace without labels, and so it takes
 * in every namespace. The program does what the mended releases do. Judged as if it said so, the pod must be alike.
 */
const negativeNamespaces: Exception = {
  name: 'namespace selectors of negative requirements take in all namespaces (kubernetes#141526)',
  explain(pod) {
    const judgedAs = structuredClone(pod);
    const { podAffinity, podAntiAffinity } = judgedAs.spec?.affinity ?? {};
    const terms = [podAffinity, podAntiAffinity]
      .flatMap((rules) => rules?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
      .filter(hasNegativeNamespaces);
    for (const term of terms) term.namespaceSelector = {};
    return terms.length === 0 ? null : { judgedAs };
  },
};

function hasNegativeNamespaces({ namespaceSelector }: PodAffinityTermObject): boolean {
  return namespaceSelector != null && isNegative(namespaceSelector);
}

function isNegative({ matchLabels, matchExpressions }: LabelSelectorObject): boolean {
  const requirements = matchExpressions ?? [];
  return (
    requirements.length > 0 &&
    Object.keys(matchLabels ?? {}).length === 0 &&
    requirements.every(({ operator }) => operator === 'NotIn' || operator === 'DoesNotExist')
  );
}

const NANO = 10n ** 9n;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * `scheduling` 2.2 and 2.4: the program holds such an amount for 2^53 - 1. The scheduler counts on to 2^63 - 1, and what
 * is beyond that as 0 or as some other number. No real object has one.
 */
const hugeAmounts: Exception = {
  name: 'amounts beyond 2^53 - 1',
  explain(pod, { nodes, placements }) {
    const amounts = amountsIn([
      pod.spec,
      nodes.map(({ status }) => status?.allocatable),
      placements.map((placement) => [placement.pod.spec, placement.pod.status]),
    ]);
    return amounts.some(isHuge) ? { judgedAs: null } : null;
  },
};

/** Of cpu the thousandths are counted. */
function isHuge([name, nano]: readonly [string, bigint]): boolean {
  return nano / (name === 'cpu' ? NANO / 1_000n : NANO) > SAFE_MAX;
}

/** Every text anywhere that is a quantity, with the name that it has. */
function amountsIn(value: unknown, name = ''): (readonly [string, bigint])[] {
  if (typeof value === 'string') {
    const nano = parseQuantity(value);
    return nano === null ? [] : [[name, nano]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => amountsIn(part, key));
}

/**
 * A pod that was put on its node by force and whose generic ephemeral claim is another one's: where the scheduler counts
 * the volumes of its node it ends with an error (reason `SchedulerError`, which is no reason to add nodes), and tries
 * again later. The program counts the volume. Nobody but a test makes such a pod.
 */
const foreignClaims: Exception = {
  name: 'a running pod uses the ephemeral claim of another one',
  explain(_pod, { placements, claims }, { message }) {
    const errors = placements.flatMap(({ pod }) =>
      (pod.spec?.volumes ?? [])
        .filter(({ ephemeral }) => ephemeral != null)
        .map(({ name }) => findClaim(claims, namespaceOf(pod), `${nameOf(pod)}-${name ?? ''}`))
        .filter((claim) => claim !== undefined && !isOwner(pod, claim))
        .map((claim) => notOwner(pod, claim!)),
    );
    return errors.includes(message) ? { judgedAs: null } : null;
  },
};

function findClaim(claims: readonly ClaimObject[], namespace: string, name: string): ClaimObject | undefined {
  return findNamed(
    claims.filter((claim) => namespaceOf(claim) === namespace),
    name,
  );
}

function isOwner(pod: PodObject, { metadata }: ClaimObject): boolean {
  return (metadata?.ownerReferences ?? []).some(
    ({ uid, controller }) => controller === true && uid === pod.metadata?.uid,
  );
}

function notOwner(pod: PodObject, claim: ClaimObject): string {
  const namespace = namespaceOf(pod);
  const problem = `PVC ${namespace}/${nameOf(claim)} was not created for pod ${namespace}/${nameOf(pod)} (pod is not owner)`;
  return `running "NodeVolumeLimits" filter plugin: ${problem}`;
}

export const EXCEPTIONS: readonly Exception[] = [negativeNamespaces, hugeAmounts, foreignClaims];
