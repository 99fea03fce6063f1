import type { LoopOptions, LoopPolicies } from '../../application/loop/index.js';
import type { HealthLimits } from '../../application/health/loop-health.js';
import { ConfigurationError } from '../../application/ports/configuration.js';
import { buildExpanderChain } from '../../domain/expansion/expander-chain.js';
import { clusterWideQuota } from '../../domain/node-group/index.js';
import type { ClusterStatePolicy, TaintPolicy } from '../../domain/readiness/index.js';
import type { ScaleDownPolicy } from '../../domain/scale-down/index.js';
import type { PendingPodsPolicy, ScaleUpPolicy } from '../../domain/scale-up/index.js';
import type { StartSettings } from '../command-line/index.js';

/** From checked flags to what domain and application are told. */

/** Evicted pods keep room reserved until their controllers have recreated them (upstream wires this to zero, W1). */
const EVICTED_POD_RETENTION_MS = 60_000;

export function loopOptions({ options }: StartSettings): LoopOptions {
  return {
    scanIntervalMs: options.scanIntervalMs,
    frequentLoops: options.frequentLoopsEnabled,
    scaleUpFromZero: options.scaleUpFromZero,
    scaleDown: options.scaleDownEnabled,
    enforceMinSize: options.enforceNodeGroupMinSize,
    writeStatus: options.writeStatusConfigmap,
    trackRemovalLatency: options.nodeRemovalLatencyTrackingEnabled,
    trackEvaluationGaps: options.maxNodeSkipEvalTimeTrackerEnabled,
  };
}

export function healthLimits({ options }: StartSettings): HealthLimits {
  return {
    inactivityMsMax: options.maxInactivityMs,
    failingMsMax: options.maxFailingTimeMs,
    startupMsMax: options.maxStartupTimeMs,
  };
}

/** `providerLabels`: labels that differ between groups of this cloud that are otherwise alike. */
export function loopPolicies(settings: StartSettings, providerLabels: readonly string[]): LoopPolicies {
  const { options } = settings;
  return {
    clusterState: clusterStatePolicy(settings),
    pendingPods: pendingPodsPolicy(settings),
    scaleUp: scaleUpPolicy(settings, providerLabels),
    templates: {
      taints: taintPolicy(settings),
      forceDaemonSets: options.forceDs,
      scaleFromUnschedulable: options.scaleFromUnschedulable,
      cacheExpireMs: options.nodeInfoCacheExpireTimeMs,
    },
    quotas: [
      clusterWideQuota({
        maxCores: settings.cores.max,
        maxMemoryBytes: settings.memoryBytes.max,
        maxGpus: new Map(settings.gpus.map(({ type, max }) => [type, max])),
      }),
    ],
  };
}

function taintPolicy({ options, startupTaints }: StartSettings): TaintPolicy {
  return {
    startupTaints,
    startupTaintPrefixes: options.startupTaintPrefix,
    statusTaints: options.statusTaint,
  };
}

function clusterStatePolicy({ options }: StartSettings): ClusterStatePolicy {
  return {
    maxNodeProvisionTimeMs: options.maxNodeProvisionTimeMs,
    maxNodeStartupTimeMs: options.maxNodeStartupTimeMs,
    okTotalUnreadyCount: options.okTotalUnreadyCount,
    maxTotalUnreadyPercentage: options.maxTotalUnreadyPercentage,
    initialBackOffMs: options.initialNodeGroupBackoffDurationMs,
    maxBackOffMs: options.maxNodeGroupBackoffDurationMs,
    backOffResetMs: options.nodeGroupBackoffResetTimeoutMs,
    forceDeleteUnregisteredNodes: options.forceDeleteUnregisteredNodes,
    forceDeleteFailedNodes: options.forceDeleteFailedNodes,
  };
}

function pendingPodsPolicy({ options }: StartSettings): PendingPodsPolicy {
  return {
    allowedSchedulers: options.allowedSchedulerNames,
    bypassedSchedulers: options.bypassedSchedulerNames,
    expendablePriorityCutoff: options.expendablePodsPriorityCutoff,
    newPodScaleUpDelayMs: options.newPodScaleUpDelayMs,
    gracefulDegradation: options.enableGracefulDegradation,
    placementBudgetMs: options.pendingPodsBatchingTimeoutMs,
  };
}

function scaleUpPolicy(settings: StartSettings, providerLabels: readonly string[]): ScaleUpPolicy {
  const { options } = settings;
  return {
    maxNodesTotal: options.maxNodesTotal,
    maxNodesPerScaleUp: options.maxNodesPerScaleup,
    planningBudgetMs: options.maxBinpackingTimeMs,
    groupBudgetMs: options.maxNodegroupBinpackingDurationMs,
    balanceSimilarGroups: options.balanceSimilarNodeGroups,
    similarity: {
      memoryDifferenceRatio: options.memoryDifferenceRatio,
      maxAllocatableDifferenceRatio: options.maxAllocatableDifferenceRatio,
      maxFreeDifferenceRatio: options.maxFreeDifferenceRatio,
      ignoredLabels: [...options.balancingIgnoreLabel, ...providerLabels],
      comparedLabels: options.balancingLabel,
    },
    expanders: expanders(settings),
    simulateSkippedGroups: options.scaleupSimulationForSkippedNodeGroupsEnabled,
    salvo: options.salvoScaleUp,
    salvoBudgetMs: options.salvoScaleUpBudgetMs,
  };
}

function expanders(settings: StartSettings): ScaleUpPolicy['expanders'] {
  const chain = buildExpanderChain(settings.expanders);
  if (chain.kind === 'chain') return chain.expanders;
  const remedy = 'name expanders of this version, each once, random last';
  throw new ConfigurationError([{ place: '--expander', value: chain.name, problem: chain.problem, remedy }]);
}

export function scaleDownPolicy(settings: StartSettings): ScaleDownPolicy {
  const { options } = settings;
  return {
    unreadyEnabled: options.scaleDownUnreadyEnabled,
    utilizationThreshold: options.scaleDownUtilizationThreshold,
    gpuUtilizationThreshold: options.scaleDownGpuUtilizationThreshold,
    unneededTimeMs: options.scaleDownUnneededTimeMs,
    unreadyTimeMs: options.scaleDownUnreadyTimeMs,
    ignoreDaemonSetsUtilization: options.ignoreDaemonsetsUtilization,
    ignoreMirrorPodsUtilization: options.ignoreMirrorPodsUtilization,
    recheckTimeoutMs: options.unremovableNodeRecheckTimeoutMs,
    simulationTimeoutMs: options.scaleDownSimulationTimeoutMs,
    expendablePriorityCutoff: options.expendablePodsPriorityCutoff,
    delayAfterAddMs: options.scaleDownDelayAfterAddMs,
    delayAfterDeleteMs: options.scaleDownDelayAfterDeleteMs,
    delayAfterFailureMs: options.scaleDownDelayAfterFailureMs,
    delayPerGroup: options.scaleDownDelayTypeLocal,
    skipNodesWithSystemPods: options.skipNodesWithSystemPods,
    systemPodBlocksForMs: options.blockingSystemPodDistruptionTimeoutMs,
    skipNodesWithLocalStorage: options.skipNodesWithLocalStorage,
    skipNodesWithCustomControllerPods: options.skipNodesWithCustomControllerPods,
    minReplicaCount: options.minReplicaCount,
    maxParallelism: options.maxScaleDownParallelism,
    maxDrainParallelism: options.maxDrainParallelism,
    resourceMinimums: {
      cpu: settings.cores.min,
      memory: settings.memoryBytes.min,
      ...Object.fromEntries(settings.gpus.map(({ type, min }) => [type, min])),
    },
    evictDaemonSetsFromEmptyNodes: options.daemonsetEvictionForEmptyNodes,
    evictDaemonSetsFromOccupiedNodes: options.daemonsetEvictionForOccupiedNodes,
    maxGracefulTerminationSeconds: options.maxGracefulTerminationSec,
    maxPodEvictionTimeMs: options.maxPodEvictionTimeMs,
    drainPriorities: settings.drainPriorities,
    nodeDeletionDelayTimeoutMs: options.nodeDeletionDelayTimeoutMs,
    nodeDeletionBatcherIntervalMs: options.nodeDeletionBatcherIntervalMs,
    nodeDeleteDelayAfterTaintMs: options.nodeDeleteDelayAfterTaintMs,
    dynamicDeleteDelayAfterTaint: options.dynamicNodeDeleteDelayAfterTaintEnabled,
    cordonNodeBeforeTerminating: options.cordonNodeBeforeTerminating,
    maxBulkSoftTaintCount: options.maxBulkSoftTaintCount,
    maxBulkSoftTaintTimeMs: options.maxBulkSoftTaintTimeMs,
    deletionCandidateTtlMs: options.nodeDeletionCandidateTtlMs,
    evictedPodRetentionMs: EVICTED_POD_RETENTION_MS,
  };
}
