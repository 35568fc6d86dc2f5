import type { Dashboard } from './grafana.ts';

const perMinute = (counter: string, by: string): string => `sum by (${by}) (rate(${counter}[5m])) * 60`;
const quantile = (share: number, histogram: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by ? `, ${by}` : ''}) (rate(${histogram}_bucket[5m])))`;
const notStreams = 'disca_http_request_seconds_count{route!~".*/events/stream"}';

export const dashboards: Dashboard[] = [
  {
    file: 'overview',
    title: 'Disca: is all well?',
    panels: [
      { title: 'Processes that answer', kind: 'stat', queries: { '': 'sum(up{job="disca"})' } },
      { title: 'Calls now', kind: 'stat', queries: { '': 'sum(max by (state) (disca_live_calls))' } },
      { title: 'Softphones registered', kind: 'stat', queries: { '': 'max(disca_registrations)' } },
      { title: 'Media nodes ready', kind: 'stat', queries: { '': 'max(disca_nodes{state="ready"})' } },
      { title: 'Differences in the ledger', kind: 'stat', queries: { '': 'max(disca_ledger_differences)' } },
      {
        title: 'Ledger audited',
        kind: 'stat',
        unit: 's',
        queries: { ago: 'time() - max(disca_ledger_audited_timestamp_seconds)' },
      },
      {
        title: 'Calls a minute, by how they ended',
        queries: {
          '{{cause}}': `${perMinute('disca_calls_ended_total', 'cause')} > 0 or ${perMinute('disca_calls_ended_total{cause="NORMAL_CLEARING"}', 'cause')}`,
        },
      },
      {
        title: 'Share of calls that were answered',
        unit: 'percentunit',
        queries: {
          answered: 'sum(rate(disca_calls_answered_total[5m])) / sum(rate(disca_calls_ended_total[5m]))',
        },
      },
      {
        title: 'Requests a minute, by status',
        queries: { '{{status}}': perMinute('disca_http_request_seconds_count', 'status') },
      },
      {
        title: 'Share of requests answered 5xx',
        unit: 'percentunit',
        queries: {
          '5xx':
            '(sum(rate(disca_http_request_seconds_count{status=~"5.."}[5m])) or vector(0)) / sum(rate(disca_http_request_seconds_count[5m]))',
        },
      },
      {
        title: 'From an event to its webhook',
        unit: 's',
        queries: {
          'half of them': quantile(0.5, 'disca_webhook_lag_seconds'),
          '95 in 100': quantile(0.95, 'disca_webhook_lag_seconds'),
        },
      },
      {
        title: 'Alerts that fire',
        kind: 'stat',
        queries: { '': 'count(ALERTS{alertstate="firing"}) or vector(0)' },
      },
    ],
  },
  {
    file: 'calls',
    title: 'Disca: calls',
    panels: [
      { title: 'Calls now, by state', queries: { '{{state}}': 'max by (state) (disca_live_calls)' } },
      {
        title: 'Calls a minute, by kind',
        queries: { '{{kind}}': perMinute('disca_calls_ended_total', 'kind') },
      },
      {
        title: 'Set-up: 95 in 100 have come this far within',
        unit: 's',
        queries: { '{{step}}': quantile(0.95, 'disca_call_setup_seconds', 'step') },
      },
      {
        title: 'Set-up: half of them have come this far within',
        unit: 's',
        queries: { '{{step}}': quantile(0.5, 'disca_call_setup_seconds', 'step') },
      },
      {
        title: 'Refused a minute, by reason',
        queries: { '{{code}}': perMinute('disca_call_refusals_total', 'code') },
      },
      {
        title: 'Refused for want of credit, by who asked',
        description: 'A renewal is refused when a talking call can buy no more time.',
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
        title: 'Calls put right afterwards, in 15 minutes',
        queries: { '{{how}}': 'sum by (how) (increase(disca_call_corrections_total[15m]))' },
      },
      { title: 'Media nodes', queries: { '{{state}}': 'max by (state) (disca_nodes)' } },
      {
        title: 'Nodes connected, by voice process',
        queries: { '{{instance}}': 'sum by (instance) (disca_media_nodes)' },
      },
      {
        title: 'Changes of owner, in 15 minutes',
        queries: { '{{change}}': 'sum by (change) (increase(disca_lease_changes_total[15m]))' },
      },
      {
        title: 'Clocks of nodes, ahead of ours',
        unit: 's',
        queries: { '{{node}}': 'disca_node_clock_skew_seconds' },
      },
      {
        title: 'Media nodes: 99 in 100 requests answered within',
        unit: 's',
        queries: { '{{request}}': quantile(0.99, 'disca_engine_request_seconds', 'request') },
      },
      { title: 'Edges', queries: { edges: 'max(disca_edges)' } },
      { title: 'Softphones registered', queries: { registered: 'max(disca_registrations)' } },
      {
        title: 'Recordings awaited, and the oldest',
        queries: {
          awaited: 'max(disca_recordings_awaited)',
          'oldest, in seconds': 'max(disca_recording_oldest_seconds)',
        },
      },
      {
        title: 'Recordings received a minute',
        queries: { '{{outcome}}': perMinute('disca_recordings_received_total', 'outcome') },
      },
      {
        title: 'On the media nodes: files that wait',
        queries: { '{{instance}}': 'sum by (instance) (disca_shipper_recordings_waiting)' },
      },
      {
        title: 'On the media nodes: age of the oldest file',
        unit: 's',
        queries: { '{{instance}}': 'max by (instance) (disca_shipper_recording_oldest_seconds)' },
      },
      {
        title: 'On the media nodes: detail records not shipped',
        unit: 'bytes',
        queries: { '{{instance}}': 'sum by (instance) (disca_shipper_records_behind_bytes)' },
      },
      {
        title: 'On the media nodes: rounds that failed, a minute',
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
        title: 'From an event to its first attempt',
        unit: 's',
        queries: {
          'half of them': quantile(0.5, 'disca_webhook_lag_seconds'),
          '95 in 100': quantile(0.95, 'disca_webhook_lag_seconds'),
          '99 in 100': quantile(0.99, 'disca_webhook_lag_seconds'),
        },
      },
      {
        title: 'Attempts a minute, by outcome',
        queries: { '{{outcome}}': perMinute('disca_webhook_attempts_total', 'outcome') },
      },
      { title: 'Webhooks that fail', queries: { failing: 'max(disca_integrations_failing)' } },
      {
        title: 'Age of the oldest due job',
        unit: 's',
        queries: { '{{queue}}': 'max by (queue) (disca_queue_oldest_seconds)' },
      },
      { title: 'Jobs a minute', queries: { '{{queue}}': perMinute('disca_job_seconds_count', 'queue') } },
      {
        title: 'Jobs that failed, in 30 minutes',
        queries: { failed: 'sum(increase(disca_job_seconds_count{outcome="failed"}[30m])) or vector(0)' },
      },
      {
        title: 'Jobs: 95 in 100 done within',
        unit: 's',
        queries: { '{{queue}}': quantile(0.95, 'disca_job_seconds', 'queue') },
      },
      {
        title: 'Mails withheld a minute',
        queries: { withheld: 'sum(rate(disca_mails_withheld_total[5m])) * 60' },
      },
      {
        title: 'Figures that could not be read, in 15 minutes',
        queries: { failures: 'sum(increase(disca_state_read_failures_total[15m]))' },
      },
    ],
  },
  {
    file: 'processes',
    title: 'Disca: processes',
    panels: [
      {
        title: 'Requests a second',
        unit: 'reqps',
        queries: { '{{instance}}': `sum by (instance) (rate(${notStreams}[5m]))` },
      },
      {
        title: 'Answers: half, 95 and 99 in 100 within',
        unit: 's',
        queries: {
          'half of them': quantile(0.5, 'disca_http_request_seconds'),
          '95 in 100': quantile(0.95, 'disca_http_request_seconds'),
          '99 in 100': quantile(0.99, 'disca_http_request_seconds'),
        },
      },
      {
        title: 'Slowest routes: 95 in 100 within',
        unit: 's',
        queries: {
          '{{method}} {{route}}': `topk(10, ${quantile(0.95, 'disca_http_request_seconds', 'method, route')})`,
        },
      },
      {
        title: 'Connections to PostgreSQL, of those allowed',
        unit: 'percentunit',
        queries: {
          '{{process}} {{instance}}':
            '(disca_database_connections - disca_database_idle) / disca_database_pool_size',
        },
      },
      {
        title: 'Requests that wait for a connection',
        queries: { '{{process}} {{instance}}': 'disca_database_waiting' },
      },
      { title: 'Redis connected', queries: { '{{process}} {{instance}}': 'disca_redis_connected' } },
      {
        title: 'Requests counted without Redis, a minute',
        queries: { '{{instance}}': perMinute('disca_limiter_fallbacks_total', 'instance') },
      },
      {
        title: 'Event loop: 99 in 100 turns late by',
        unit: 's',
        queries: { '{{process}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
      },
      {
        title: 'Processor time',
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
