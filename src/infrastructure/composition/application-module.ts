import { ContainerModule } from 'inversify';
import type { Newable } from 'inversify';
import { StatusServer, StatusServerSettings } from '../../adapters/http/index.js';
import { KubernetesYamlRenderer } from '../../adapters/yaml/kubernetes-yaml-renderer.js';
import { HealthLimits, LoopHealth } from '../../application/health/loop-health.js';
import { IncidentLog } from '../../application/incidents/incident-log.js';
import * as loop from '../../application/loop/index.js';
import { CloudProvider } from '../../application/ports/cloud-provider.js';
import type { EventSubject } from '../../application/ports/cluster-writer.js';
import { DebuggingSnapshots } from '../../application/ports/debugging-snapshots.js';
import { HealthProbe } from '../../application/ports/health.js';
import { Incidents } from '../../application/ports/incidents.js';
import { YamlRenderer } from '../../application/ports/yaml-renderer.js';
import { DecisionLog } from '../../application/report/decision-log.js';
import { SnapshotDesk } from '../../application/report/snapshot-desk.js';
import * as scaleDown from '../../application/scale-down/index.js';
import * as scaleUp from '../../application/scale-up/index.js';
import type { AutoscalerOptions, StartSettings } from '../command-line/index.js';
import { healthLimits, loopOptions, loopPolicies, scaleDownPolicy } from './policies.js';

/** Services of the application; all are singletons. */
export function applicationModule(settings: StartSettings): ContainerModule {
  const { options } = settings;
  const statusSubject = statusSubjectOf(options);
  return new ContainerModule(({ bind }) => {
    bind(Incidents).to(IncidentLog);
    bind(YamlRenderer).to(KubernetesYamlRenderer);
    bind(HealthLimits).toConstantValue(healthLimits(settings));
    bind(LoopHealth).toSelf();
    bind(HealthProbe).toService(LoopHealth);
    bind(SnapshotDesk).toSelf();
    bind(DebuggingSnapshots).toService(SnapshotDesk);
    bind(DecisionLog).toSelf();
    bind(StatusServerSettings).toConstantValue({
      address: options.address,
      profiling: options.profiling,
      debuggingSnapshots: options.debuggingSnapshotEnabled,
    });
    bind(StatusServer).toSelf();
    bind(loop.LoopOptions).toConstantValue(loopOptions(settings));
    bind(loop.LoopPolicies)
      .toResolvedValue(
        (cloud: CloudProvider) => loopPolicies(settings, cloud.ignoredSimilarityLabels),
        [CloudProvider],
      )
      .inSingletonScope();
    bind(scaleUp.ScaleUpOptions).toConstantValue({
      parallel: options.parallelScaleUp,
      statusSubject: () => statusSubject,
    });
    bind(scaleDown.ScaleDownSettings).toConstantValue({ policy: scaleDownPolicy(settings), statusSubject });
    for (const service of SERVICES) bind<object>(service).toSelf();
  });
}

/** Plain services without a port of their own. */
const SERVICES: readonly Newable<object>[] = [
  scaleUp.GroupEvents,
  scaleUp.GroupRepairer,
  scaleUp.HappeningReporter,
  scaleUp.ScaleUpExecutor,
  scaleUp.ScaleUpPlanner,
  scaleUp.ScaleUpReporter,
  scaleUp.ScaleUpRunner,
  scaleDown.DeletionDelays,
  scaleDown.DeletionOutcomes,
  scaleDown.DeletionPipeline,
  scaleDown.DeletionReporter,
  scaleDown.DeletionTracker,
  scaleDown.EvaluationGaps,
  scaleDown.FreshNodeCheck,
  scaleDown.MachineReleaser,
  scaleDown.NodeDrainer,
  scaleDown.NodeMarker,
  scaleDown.NodePreparation,
  scaleDown.PodEvictor,
  scaleDown.RemovalLatency,
  scaleDown.ScaleDownActuator,
  scaleDown.ScaleDownPlanner,
  scaleDown.SoftTainter,
  scaleDown.StaleMarkCleaner,
  loop.Autoscaler,
  loop.ClusterGauges,
  loop.ClusterModeler,
  loop.GroupCare,
  loop.LeaderRun,
  loop.LoopReporter,
  loop.LoopTrigger,
  loop.Observer,
  loop.ScaleDownRecords,
  loop.ScaleDownStep,
  loop.ScaleUpStep,
  loop.StatusWriter,
];

/** Events about groups are recorded on the status ConfigMap; without it there are none (`interface` 5.2). */
function statusSubjectOf(options: AutoscalerOptions): EventSubject | null {
  if (!options.writeStatusConfigmap) return null;
  return { kind: 'ConfigMap', namespace: options.namespace, name: options.statusConfigMapName, uid: '' };
}
