import { ContainerModule } from 'inversify';
import { proxyFor } from '../../adapters/config/proxy-rule.js';
import {
  KubernetesClusterReader,
  KubernetesClusterWriter,
  KubernetesConnection,
  KubernetesReaderOptions,
  KubernetesWriterOptions,
  LeaseLeaderLock,
  LeaseOptions,
  connectKubernetes,
} from '../../adapters/kubernetes/index.js';
import type { ClusterAddress } from '../../adapters/kubernetes/index.js';
import { SoleLeader } from '../../application/loop/index.js';
import { ClusterReader } from '../../application/ports/cluster-reader.js';
import { ClusterWriter } from '../../application/ports/cluster-writer.js';
import { LeaderLock } from '../../application/ports/leader-lock.js';
import type { Metrics } from '../../application/ports/metrics.js';
import type { AutoscalerOptions, StartSettings } from '../command-line/index.js';
import type { Outside } from './outside.js';

/** The ConfigMap of the priority expander (upstream's name). */
const PRIORITIES_NAME = 'cluster-autoscaler-priority-expander';

/** Reads credentials, and throws ConfigurationError where there are none; sends nothing. */
export async function kubernetesModule(
  { options, expanders }: Pick<StartSettings, 'options' | 'expanders'>,
  outside: Outside,
  metrics: Metrics,
): Promise<ContainerModule> {
  const connection = await connectKubernetes({
    address: addressOf(options),
    clock: outside.clock,
    qps: options.kubeClientQps,
    burst: options.kubeClientBurst,
    proxyFor: (url) => proxyFor(url, outside.environment),
    onExchange: ({ method, code, durationMs, host }) => {
      metrics.add('rest_client_requests_total', 1, { code, method, host });
      metrics.observe('rest_client_request_duration_seconds', durationMs / 1000, { verb: method, host });
    },
    ...(outside.kubernetesDispatcher && { dispatcher: outside.kubernetesDispatcher }),
  });
  return new ContainerModule(({ bind }) => {
    bind(KubernetesConnection).toConstantValue(connection);
    bind(KubernetesReaderOptions).toConstantValue(
      expanders.includes('priority')
        ? { groupPriorities: { namespace: options.namespace, name: PRIORITIES_NAME } }
        : {},
    );
    bind(KubernetesWriterOptions).toConstantValue({
      namespace: options.namespace,
      statusConfigMapName: options.statusConfigMapName,
      recordDuplicatedEvents: options.recordDuplicatedEvents,
    });
    bind(LeaseOptions).toConstantValue({
      identity: outside.hostName,
      namespace: options.namespace,
      name: options.leaderElectResourceName,
      leaseDurationMs: options.leaderElectLeaseDurationMs,
      renewDeadlineMs: options.leaderElectRenewDeadlineMs,
      retryPeriodMs: options.leaderElectRetryPeriodMs,
    });
    bind(ClusterReader).to(KubernetesClusterReader);
    bind(ClusterWriter).to(KubernetesClusterWriter);
    bind(LeaderLock).to(options.leaderElect ? LeaseLeaderLock : SoleLeader);
  });
}

function addressOf({ kubeconfig, kubernetes }: AutoscalerOptions): ClusterAddress {
  if (kubeconfig !== '') return { kind: 'kubeconfig', path: kubeconfig };
  return kubernetes === '' ? { kind: 'in-cluster' } : { kind: 'url', url: kubernetes };
}
