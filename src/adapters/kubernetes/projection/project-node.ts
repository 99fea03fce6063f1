import type { Node, NodeCondition } from '../../../domain/kubernetes/node.js';
import type { Taint, TaintEffect } from '../../../domain/kubernetes/taint.js';
import type { ConditionJson, Maybe, NodeObject, StringMap, TaintJson } from './api-objects.js';
import { identityOf, timeOf } from './projection.js';
import type { SharedRecords } from './projection.js';

const SCALE_DOWN_DISABLED = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';
const DELAY_DELETION_PREFIX = 'delay-deletion.cluster-autoscaler.kubernetes.io/';
const NO_KEYS: readonly string[] = [];
const NO_TAINTS: readonly Taint[] = [];

/**
 * A node as the domain knows it.
 * @throws BrokenObjectError, QuantityError
 */
export function projectNode(node: NodeObject, shared: SharedRecords): Node {
  const { uid, name } = identityOf(node.metadata);
  const { metadata, spec, status } = node;
  const condition = (type: string): NodeCondition | null => projectCondition(status?.conditions, type);
  return {
    uid,
    name: shared.text(name),
    providerId: spec?.providerID ?? '',
    labels: shared.labels(metadata?.labels),
    taints: projectTaints(spec?.taints),
    unschedulable: spec?.unschedulable === true,
    allocatable: shared.resources(status?.allocatable),
    capacity: shared.resources(status?.capacity),
    conditions: {
      ready: condition('Ready'),
      diskPressure: condition('DiskPressure'),
      networkUnavailable: condition('NetworkUnavailable'),
      suspended: condition('Suspended'),
    },
    declaredFeatures: status?.declaredFeatures ?? NO_KEYS,
    createdMs: timeOf(metadata?.creationTimestamp) ?? 0,
    scaleDownDisabled: metadata?.annotations?.[SCALE_DOWN_DISABLED] ?? null,
    delayDeletion: delayKeys(metadata?.annotations),
    resourceVersion: metadata?.resourceVersion ?? '',
  };
}

function projectCondition(conditions: Maybe<readonly ConditionJson[]>, type: string): NodeCondition | null {
  const condition = (conditions ?? []).find((candidate) => candidate.type === type);
  if (condition === undefined) return null;
  return {
    status: condition.status ?? '',
    reason: condition.reason ?? '',
    changedMs: timeOf(condition.lastTransitionTime),
  };
}

function projectTaints(taints: Maybe<readonly TaintJson[]>): readonly Taint[] {
  if (taints == null || taints.length === 0) return NO_TAINTS;
  return taints.map(({ key, value, effect, timeAdded }) => ({
    key: key ?? '',
    value: value ?? '',
    effect: (effect ?? '') as TaintEffect,
    timeAddedMs: timeOf(timeAdded),
  }));
}

function delayKeys(annotations: Maybe<StringMap>): readonly string[] {
  if (annotations == null) return NO_KEYS;
  const keys = Object.keys(annotations).filter((key) => key.startsWith(DELAY_DELETION_PREFIX));
  return keys.length === 0 ? NO_KEYS : keys;
}
