import type { MessageTable } from './message-table.js';

/** Kinds of the named groups. */
export const GROUP_MESSAGES: MessageTable = {
  Deployment: '1 metadata ObjectMeta, 2 spec DeploymentSpec, 3 status -',
  Job: '1 metadata ObjectMeta, 2 spec JobSpec, 3 status -',
  CronJob: '1 metadata ObjectMeta, 2 spec CronJobSpec, 3 status -',
  Eviction: '1 metadata ObjectMeta, 2 deleteOptions DeleteOptions?',
  PodDisruptionBudget: '1 metadata ObjectMeta, 2 spec PodDisruptionBudgetSpec, 3 status -',
  Role: '1 metadata ObjectMeta, 2 rules [PolicyRule]',
  ClusterRole: '1 metadata ObjectMeta, 2 rules [PolicyRule]',
  RoleBinding: '1 metadata ObjectMeta, 2 subjects [Subject], 3 roleRef RoleRef',
  ClusterRoleBinding: '1 metadata ObjectMeta, 2 subjects [Subject], 3 roleRef RoleRef',
  Lease: '1 metadata ObjectMeta, 2 spec LeaseSpec',
  PriorityClass:
    '1 metadata ObjectMeta, 2 value i, 3 globalDefault b, 4 description s, 5 preemptionPolicy s?',
  DeploymentSpec:
    '1 replicas i?, 2 selector LabelSelector?, 3 template PodTemplateSpec, ' +
    '4 strategy DeploymentStrategy, 5 minReadySeconds i, 6 revisionHistoryLimit i?, 7 paused b, ' +
    '9 progressDeadlineSeconds i?',
  JobSpec:
    '1 parallelism i?, 2 completions i?, 3 activeDeadlineSeconds i?, 4 selector LabelSelector?, ' +
    '5 manualSelector b?, 6 template PodTemplateSpec, 7 backoffLimit i?, 8 ttlSecondsAfterFinished i?, ' +
    '9 completionMode s?, 10 suspend b?, 12 backoffLimitPerIndex i?, 13 maxFailedIndexes i?, ' +
    '14 podReplacementPolicy s?, 15 managedBy s?',
  CronJobSpec:
    '1 schedule s, 2 startingDeadlineSeconds i?, 3 concurrencyPolicy s, 4 suspend b?, ' +
    '5 jobTemplate JobTemplateSpec, 6 successfulJobsHistoryLimit i?, 7 failedJobsHistoryLimit i?, ' +
    '8 timeZone s?',
  PodDisruptionBudgetSpec:
    '1 minAvailable N?, 2 selector LabelSelector?, 3 maxUnavailable N?, 4 unhealthyPodEvictionPolicy s?',
  PolicyRule: '1 verbs [s], 2 apiGroups [s], 3 resources [s], 4 resourceNames [s], 5 nonResourceURLs [s]',
  Subject: '1 kind s, 2 apiGroup s, 3 name s, 4 namespace s',
  RoleRef: '1 apiGroup s, 2 kind s, 3 name s',
  LeaseSpec:
    '1 holderIdentity s?, 2 leaseDurationSeconds i?, 3 acquireTime M, 4 renewTime M, ' +
    '5 leaseTransitions i?, 6 strategy s?, 7 preferredHolder s?',
  DeploymentStrategy: '1 type s, 2 rollingUpdate RollingUpdateDeployment?',
  JobTemplateSpec: '1 metadata ObjectMeta, 2 spec JobSpec',
  RollingUpdateDeployment: '1 maxUnavailable N?, 2 maxSurge N?',
};
