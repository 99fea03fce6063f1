import { flag, noEffect } from '../flag-definition.js';
import { featureGates } from '../feature-gates.js';
import type { FeatureGates } from '../feature-gates.js';
import { boolean, float, integer, string } from '../flag-types.js';

const NO_GATES: FeatureGates = new Map<string, boolean>();

/** `interface` 1.2. */
export const PROCESS_FLAGS = {
  'cloud-provider': flag(string, 'hetzner', 'Cloud to scale.'),
  'cloud-config': flag(string, '', 'Path of the provider configuration (utho: JSON, required).'),
  'cluster-name': flag(string, '', 'Name of the cluster.', noEffect('neither provider asks for it')),
  namespace: flag(string, 'kube-system', 'Namespace of the status map and of the lease.'),
  address: flag(string, ':8085', 'Listen address of the HTTP server (metrics and health).'),
  kubernetes: flag(string, '', 'URL of the API server, with options; empty means in-cluster.'),
  kubeconfig: flag(string, '', 'Path of a kubeconfig; its current context is used. Beats --kubernetes.'),
  'kube-api-content-type': flag(
    string,
    'application/vnd.kubernetes.protobuf',
    'Wire format asked of the API server.',
    noEffect('JSON is always used'),
  ),
  'kube-client-qps': flag(float, 5, 'Requests per second to the API server.'),
  'kube-client-burst': flag(integer, 10, 'Burst of the same limit.'),
  'user-agent': flag(
    string,
    'cluster-autoscaler',
    'User agent of cloud requests.',
    noEffect('both providers name themselves'),
  ),
  regional: flag(boolean, false, 'The cluster spans zones.', noEffect('nothing reads it')),
  'feature-gates': flag(featureGates, NO_GATES, 'Comma-separated list of Gate=true or Gate=false.'),
  profiling: flag(
    boolean,
    false,
    'Serve /debug/pprof.',
    noEffect("profiles in Go's format are not offered; /debug/pprof/ says how to take one with Node.js"),
  ),
  'debugging-snapshot-enabled': flag(
    boolean,
    false,
    'Serve /snapshotz, the state that decisions are made on.',
  ),
};
