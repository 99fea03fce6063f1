import type { MessageTable } from './message-table.js';

/** `meta/v1`, and the plain values that Kubernetes wraps into messages. */
export const META_MESSAGES: MessageTable = {
  TypeMeta: '1 apiVersion s, 2 kind s',
  Time: '1 seconds i, 2 nanos i',
  Quantity: '1 string s',
  IntOrString: '1 type i, 2 intVal i, 3 strVal s',
  DeleteOptions:
    '1 gracePeriodSeconds i?, 2 preconditions Preconditions?, 3 orphanDependents b?, ' +
    '4 propagationPolicy s?, 5 dryRun [s], 6 ignoreStoreReadErrorWithClusterBreakingPotential b?',
  ObjectMeta:
    '1 name s, 2 generateName s, 3 namespace s, 4 selfLink s, 5 uid s, 6 resourceVersion s, ' +
    '7 generation i, 8 creationTimestamp T, 9 deletionTimestamp T, 10 deletionGracePeriodSeconds i?, ' +
    '11 labels {s}, 12 annotations {s}, 13 ownerReferences [OwnerReference], 14 finalizers [s], ' +
    '17 managedFields -',
  Preconditions: '1 uid s?, 2 resourceVersion s?',
  OwnerReference: '1 kind s, 3 name s, 4 uid s, 5 apiVersion s, 6 controller b?, 7 blockOwnerDeletion b?',
  LabelSelector: '1 matchLabels {s}, 2 matchExpressions [LabelSelectorRequirement]',
  LabelSelectorRequirement: '1 key s, 2 operator s, 3 values [s]',
};
