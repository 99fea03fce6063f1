import type { SeriesDefinition } from './series-definition.js';

type Details = Partial<Pick<SeriesDefinition, 'labels' | 'buckets'>>;

function series(
  kind: SeriesDefinition['kind'],
  name: string,
  help: string,
  details: Details = {},
): SeriesDefinition {
  return { kind, name, help, scope: 'process', labels: [], ...details };
}

const HCLOUD_LATENCY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** 1 s to 30 min: a server is created within minutes, or times out. */
const HCLOUD_CREATION_BUCKETS = [1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1_800];

/** The Hetzner API: `interface` 2.5, and the additions of `hetzner` 3.13. */
const HCLOUD: readonly SeriesDefinition[] = [
  series('gauge', 'hcloud_api_in_flight_requests', 'Number of requests under way.'),
  series('counter', 'hcloud_api_requests_total', 'Number of requests by status, method and endpoint.', {
    labels: ['code', 'method', 'api_endpoint'],
  }),
  series('histogram', 'hcloud_api_request_duration_seconds', 'Latency of requests.', {
    labels: ['method'],
    buckets: HCLOUD_LATENCY_BUCKETS,
  }),
  series('gauge', 'hcloud_api_rate_limit_remaining', 'Requests left before the API throttles.'),
  series('gauge', 'hcloud_servers', 'Number of servers by pool and status.', { labels: ['pool', 'status'] }),
  series('gauge', 'hcloud_pending_creates', 'Number of servers on order by pool.', { labels: ['pool'] }),
  series('counter', 'hcloud_create_failures_total', 'Number of servers that could not be had.', {
    labels: ['pool', 'server_type', 'location', 'code'],
  }),
  series(
    'gauge',
    'hcloud_candidate_backoff_seconds',
    'Time until a server type is tried again in a location.',
    {
      labels: ['server_type', 'location'],
    },
  ),
  series('gauge', 'hcloud_orphan_servers', 'Number of servers that belong to no known pool.'),
  series('gauge', 'hcloud_stranded_servers', 'Number of servers that never became nodes.'),
  series('histogram', 'hcloud_server_create_duration_seconds', 'Time of the phases of server creation.', {
    labels: ['phase'],
    buckets: HCLOUD_CREATION_BUCKETS,
  }),
];

/** To 60 s, the deadline of a write. */
const UTHO_LATENCY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** The Utho API (`utho` 7). */
const UTHO: readonly SeriesDefinition[] = [
  series('gauge', 'utho_api_in_flight_requests', 'Number of requests under way.'),
  series('counter', 'utho_api_requests_total', 'Number of requests by endpoint and class of the result.', {
    labels: ['endpoint', 'class'],
  }),
  series('histogram', 'utho_api_request_duration_seconds', 'Latency of requests.', {
    labels: ['endpoint'],
    buckets: UTHO_LATENCY_BUCKETS,
  }),
  series(
    'gauge',
    'utho_last_refresh_timestamp_seconds',
    'Time of the last good read of the cluster in Unix seconds.',
  ),
  series('gauge', 'utho_node_pools', 'Number of node pools by state: seen, managed, frozen.', {
    labels: ['state'],
  }),
  series(
    'counter',
    'utho_verification_failures_total',
    'Number of changes that the API took and did not carry out.',
    {
      labels: ['pool', 'operation'],
    },
  ),
  series(
    'counter',
    'utho_unexpected_victims_total',
    'Number of workers that vanished though others were named.',
    {
      labels: ['pool'],
    },
  ),
];

const REST_LATENCY_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const REST_SIZE_BUCKETS = [
  64, 256, 512, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
];
const REST_LABELS = ['verb', 'host'];

/** The Kubernetes client (`interface` 2.6). */
const REST_CLIENT: readonly SeriesDefinition[] = [
  series('counter', 'rest_client_requests_total', 'Number of requests by status, method and host.', {
    labels: ['code', 'method', 'host'],
  }),
  series('counter', 'rest_client_request_retries_total', 'Number of retries by status, verb and host.', {
    labels: ['code', 'verb', 'host'],
  }),
  series('histogram', 'rest_client_request_duration_seconds', 'Latency of requests.', {
    labels: REST_LABELS,
    buckets: REST_LATENCY_BUCKETS,
  }),
  series('histogram', 'rest_client_rate_limiter_duration_seconds', 'Time spent waiting for the rate limit.', {
    labels: REST_LABELS,
    buckets: REST_LATENCY_BUCKETS,
  }),
  series('histogram', 'rest_client_request_size_bytes', 'Size of request bodies.', {
    labels: REST_LABELS,
    buckets: REST_SIZE_BUCKETS,
  }),
  series('histogram', 'rest_client_response_size_bytes', 'Size of response bodies.', {
    labels: REST_LABELS,
    buckets: REST_SIZE_BUCKETS,
  }),
];

export const CLIENT_SERIES: readonly SeriesDefinition[] = [...HCLOUD, ...UTHO, ...REST_CLIENT];
