import type { Dashboard } from './grafana.ts';

const perMinute = (counter: string, by: string): string => `sum by (${by}) (rate(${counter}[5m])) * 60`;
const quantile = (share: number, histogram: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by ? `, ${by}` : ''}) (rate(${histogram}_bucket[5m])))`;
const notStreams = 'disca_http_request_seconds_count{route!~".*/events/stream"}';

export const dashboards: Dashboard[] = [
  {
    file: 'overview',
    title: 'Disca: overview',
    panels: [
      { title: 'Processes up', kind: 'stat', queries: { '': 'sum(up{job="disca"})' } },
      { title: 'Active calls', kind: 'stat', queries: { '': 'sum(max by (state) (disca_live_calls))' } },
      { title: 'Softphones registered', kind: 'stat', queries: { '': 'max(disca_registrations)' } },
      { title: 'Media nodes ready', kind: 'stat', queries: { '': 'max(disca_nodes{state="ready"})' } },
      { title: 'Ledger differences', kind: 'stat', queries: { '': 'max(disca_ledger_differences)' } },
      {
        title: 'Ledger audited',
        kind: 'stat',
        unit: 's',
        queries: { ago: 'time() - max(disca_ledger_audited_timestamp_seconds)' },
      },
      {
        title: 'Calls per minute, by hangup cause',
        queries: {
          '{{cause}}': `${perMinute('disca_calls_ended_total', 'cause')} > 0 or ${perMinute('disca_calls_ended_total{cause="NORMAL_CLEARING"}', 'cause')}`,
        },
      },
      {
        title: 'Answer rate',
        unit: 'percentunit',
        queries: {
          answered: 'sum(rate(disca_calls_answered_total[5m])) / sum(rate(disca_calls_ended_total[5m]))',
        },
      },
      {
        title: 'Requests per minute, by status',
        queries: { '{{status}}': perMinute('disca_http_request_seconds_count', 'status') },
      },
      {
        title: 'Share of 5xx responses',
        unit: 'percentunit',
        queries: {
          '5xx':
            '(sum(rate(disca_http_request_seconds_count{status=~"5.."}[5m])) or vector(0)) / sum(rate(disca_http_request_seconds_count[5m]))',
        },
      },
      {
        title: 'Webhook latency',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'disca_webhook_lag_seconds'),
          p95: quantile(0.95, 'disca_webhook_lag_seconds'),
        },
      },
      {
        title: 'Firing alerts',
        kind: 'stat',
        queries: { '': 'count(ALERTS{alertstate="firing"}) or vector(0)' },
      },
    ],
  },
  {
    file: 'calls',
    title: 'Disca: calls',
    panels: [
      { title: 'Active calls, by state', queries: { '{{state}}': 'max by (state) (disca_live_calls)' } },
      {
        title: 'Calls per minute, by kind',
        queries: { '{{kind}}': perMinute('disca_calls_ended_total', 'kind') },
      },
      {
        title: 'Set-up time by step, p95',
        unit: 's',
        queries: { '{{step}}': quantile(0.95, 'disca_call_setup_seconds', 'step') },
      },
      {
        title: 'Set-up time by step, p50',
        unit: 's',
        queries: { '{{step}}': quantile(0.5, 'disca_call_setup_seconds', 'step') },
      },
      {
        title: 'Refused calls per minute, by reason',
        queries: { '{{code}}': perMinute('disca_call_refusals_total', 'code') },
      },
      {
        title: 'Refused for insufficient credit, by requester',
        description:
          'A renewal is refused when credit or the daily spend limit does not cover the next hold of an answered call.',
        queries: {
          '{{asked_by}}': perMinute(
            'disca_call_refusals_total{code=~"INSUFFICIENT_CREDIT|SPEND_LIMIT_REACHED"}',
            'asked_by',
          ),
        },
      },
      {
        title: 'Longest wait for a media node',
        unit: 's',
        queries: { waiting: 'max(disca_call_oldest_wait_seconds)' },
      },
      {
        title: 'Calls closed by reconciliation, per 15 minutes',
        queries: { '{{how}}': 'sum by (how) (increase(disca_call_corrections_total[15m]))' },
      },
      {
        title: 'Calls without audio from a party, per 15 minutes',
        queries: {
          '{{from}}, {{reason}}': 'sum by (from, reason) (increase(disca_call_audio_missing_total[15m]))',
        },
      },
      { title: 'Media nodes', queries: { '{{state}}': 'max by (state) (disca_nodes)' } },
      {
        title: 'Nodes connected, by voice process',
        queries: { '{{instance}}': 'sum by (instance) (disca_media_nodes)' },
      },
      {
        title: 'Lease changes, per 15 minutes',
        queries: { '{{change}}': 'sum by (change) (increase(disca_lease_changes_total[15m]))' },
      },
      {
        title: 'Clock skew of media nodes',
        unit: 's',
        queries: { '{{node}}': 'disca_node_clock_skew_seconds' },
      },
      {
        title: 'Media node response time, p99',
        unit: 's',
        queries: { '{{request}}': quantile(0.99, 'disca_engine_request_seconds', 'request') },
      },
      { title: 'Edges', queries: { edges: 'max(disca_edges)' } },
      { title: 'Softphones registered', queries: { registered: 'max(disca_registrations)' } },
      {
        title: 'Missing recordings, and the oldest',
        queries: {
          awaited: 'max(disca_recordings_awaited)',
          'oldest, in seconds': 'max(disca_recording_oldest_seconds)',
        },
      },
      {
        title: 'Recordings received per minute',
        queries: { '{{outcome}}': perMinute('disca_recordings_received_total', 'outcome') },
      },
      {
        title: 'Recordings waiting on media nodes',
        queries: { '{{instance}}': 'sum by (instance) (disca_shipper_recordings_waiting)' },
      },
      {
        title: 'Age of the oldest recording on media nodes',
        unit: 's',
        queries: { '{{instance}}': 'max by (instance) (disca_shipper_recording_oldest_seconds)' },
      },
      {
        title: 'Detail records not shipped from media nodes',
        unit: 'bytes',
        queries: { '{{instance}}': 'sum by (instance) (disca_shipper_records_behind_bytes)' },
      },
      {
        title: 'Failed shipper rounds per minute',
        queries: { '{{instance}}': perMinute('disca_shipper_failures_total', 'instance') },
      },
    ],
  },
  {
    file: 'work',
    title: 'Disca: events, webhooks and jobs',
    panels: [
      {
        title: 'Oldest event without a number',
        unit: 's',
        queries: { age: 'max(disca_event_oldest_seconds)' },
      },
      {
        title: 'Time from an event to its first attempt',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'disca_webhook_lag_seconds'),
          p95: quantile(0.95, 'disca_webhook_lag_seconds'),
          p99: quantile(0.99, 'disca_webhook_lag_seconds'),
        },
      },
      {
        title: 'Attempts per minute, by outcome',
        queries: { '{{outcome}}': perMinute('disca_webhook_attempts_total', 'outcome') },
      },
      { title: 'Failing webhooks', queries: { failing: 'max(disca_integrations_failing)' } },
      {
        title: 'Age of the oldest due job',
        unit: 's',
        queries: { '{{queue}}': 'max by (queue) (disca_queue_oldest_seconds)' },
      },
      { title: 'Jobs per minute', queries: { '{{queue}}': perMinute('disca_job_seconds_count', 'queue') } },
      {
        title: 'Failed jobs, per 30 minutes',
        queries: { failed: 'sum(increase(disca_job_seconds_count{outcome="failed"}[30m])) or vector(0)' },
      },
      {
        title: 'Job duration, p95',
        unit: 's',
        queries: { '{{queue}}': quantile(0.95, 'disca_job_seconds', 'queue') },
      },
      {
        title: 'Rate-limited mails per minute',
        queries: { withheld: 'sum(rate(disca_mails_withheld_total[5m])) * 60' },
      },
      {
        title: 'Failed metric reads, per 15 minutes',
        queries: { failures: 'sum(increase(disca_state_read_failures_total[15m]))' },
      },
    ],
  },
  {
    file: 'processes',
    title: 'Disca: processes',
    panels: [
      {
        title: 'Requests per second',
        unit: 'reqps',
        queries: { '{{instance}}': `sum by (instance) (rate(${notStreams}[5m]))` },
      },
      {
        title: 'Response time: p50, p95, p99',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'disca_http_request_seconds'),
          p95: quantile(0.95, 'disca_http_request_seconds'),
          p99: quantile(0.99, 'disca_http_request_seconds'),
        },
      },
      {
        title: 'Slowest routes, p95',
        unit: 's',
        queries: {
          '{{method}} {{route}}': `topk(10, ${quantile(0.95, 'disca_http_request_seconds', 'method, route')})`,
        },
      },
      {
        title: 'PostgreSQL connections, used and allowed',
        unit: 'percentunit',
        queries: {
          '{{process}} {{instance}}':
            '(disca_database_connections - disca_database_idle) / disca_database_pool_size',
        },
      },
      {
        title: 'Requests waiting for a connection',
        queries: { '{{process}} {{instance}}': 'disca_database_waiting' },
      },
      { title: 'Redis connected', queries: { '{{process}} {{instance}}': 'disca_redis_connected' } },
      {
        title: 'Requests per minute counted without Redis',
        queries: { '{{instance}}': perMinute('disca_limiter_fallbacks_total', 'instance') },
      },
      {
        title: 'Requests per minute missing from the request log',
        queries: { '{{instance}}': perMinute('disca_requests_not_recorded_total', 'instance') },
      },
      {
        title: 'Event loop lag, p99',
        unit: 's',
        queries: { '{{process}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
      },
      {
        title: 'CPU usage',
        unit: 'percentunit',
        queries: { '{{process}} {{instance}}': 'rate(process_cpu_seconds_total{job="disca"}[5m])' },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: { '{{process}} {{instance}}': 'process_resident_memory_bytes{job="disca"}' },
      },
    ],
  },
];
