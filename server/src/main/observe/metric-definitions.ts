import { hangupCauses, reconciliations, requesters } from '../../contexts/calls/index.ts';
import { leaseChanges } from '../../contexts/telephony/index.ts';
import { outcomes } from '../../contexts/webhooks/index.ts';
import { nodeHeardWithinSeconds, silentEdgeSeconds } from '../../platform/call-timings.ts';
import type { ErrorCode } from '../../platform/errors.ts';

export const processes = ['api', 'worker', 'voice', 'shipper'] as const;
export type ProcessName = (typeof processes)[number];

/** A metric shown at /metrics, described in the table of docs/operate/monitor.md. */
export interface MetricDefinition {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** The processes that export it. */
  processes: readonly ProcessName[];
  /**
   * Labels with the values that exist from the start, so that the first increment is visible as a change. An empty list
   * means that the values are routes, queues or nodes; client input is never used as a label.
   */
  labels?: Record<string, readonly string[]>;
  buckets?: number[];
}

const setUpBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 90];
const shortBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const longBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

const everyServer = ['api', 'worker', 'voice'] as const;

/** The refusal codes of calls that concern the service or money. */
const countedRefusals: readonly ErrorCode[] = [
  'INSUFFICIENT_CREDIT',
  'SPEND_LIMIT_REACHED',
  'CAPACITY_EXCEEDED',
  'DESTINATION_NOT_ALLOWED',
  'CALLER_ID_NOT_ALLOWED',
  'EXTENSION_NOT_REGISTERED',
  'SERVICE_UNAVAILABLE',
];

/** Outcomes of a file that a media node uploads. */
const uploads = ['stored', 'known', 'refused', 'unexpected', 'failed'] as const;

export const metricDefinitions = {
  disca_http_request_seconds: {
    kind: 'histogram',
    help: 'Response time, by route and status.',
    processes: ['api'],
    labels: { method: [], route: [], status: [] },
    buckets: shortBuckets,
  },
  disca_limiter_fallbacks_total: {
    kind: 'counter',
    help: 'Requests counted per process because Redis was unavailable.',
    processes: ['api'],
  },
  disca_mails_withheld_total: {
    kind: 'counter',
    help: 'Mails not sent because the recipient reached the limit for their kind.',
    processes: ['api'],
  },
  disca_redis_connected: {
    kind: 'gauge',
    help: '1 while the process is connected to Redis.',
    processes: ['api', 'worker'],
  },
  disca_database_pool_size: {
    kind: 'gauge',
    help: 'Maximum connections of the pool.',
    processes: everyServer,
  },
  disca_database_connections: {
    kind: 'gauge',
    help: 'Open connections of the pool.',
    processes: everyServer,
  },
  disca_database_idle: { kind: 'gauge', help: 'Idle connections of the pool.', processes: everyServer },
  disca_database_waiting: {
    kind: 'gauge',
    help: 'Requests waiting for a connection.',
    processes: everyServer,
  },
  disca_calls_ended_total: {
    kind: 'counter',
    help: 'Ended calls, by kind and hangup cause.',
    processes: ['voice', 'worker', 'api'],
    labels: { kind: ['click', 'code', 'dialled', 'internal', 'inbound'], cause: hangupCauses },
  },
  disca_calls_answered_total: {
    kind: 'counter',
    help: 'Ended calls that were answered by both sides.',
    processes: ['voice', 'worker', 'api'],
    labels: { kind: ['click', 'code', 'dialled', 'internal', 'inbound'] },
  },
  disca_call_refusals_total: {
    kind: 'counter',
    help: 'Calls refused, and hold renewals refused during a call, by requester and reason.',
    processes: ['api', 'voice'],
    labels: { asked_by: requesters, code: countedRefusals },
  },
  disca_call_setup_seconds: {
    kind: 'histogram',
    help: 'Time from the request of a call until a node claims it, the phone rings, the destination is dialled and answers.',
    processes: ['voice'],
    labels: { step: ['claimed', 'ringing', 'dialing', 'answered'] },
    buckets: setUpBuckets,
  },
  disca_call_corrections_total: {
    kind: 'counter',
    help: 'Calls closed by the reconciler, a sweep or a detail record because the engine event was missing.',
    processes: ['voice', 'worker'],
    labels: { how: reconciliations },
  },
  disca_lease_changes_total: {
    kind: 'counter',
    help: 'Media node connections to this process: reconnected, restarted, or taken over by another process.',
    processes: ['voice'],
    labels: { change: leaseChanges },
  },
  disca_engine_request_seconds: {
    kind: 'histogram',
    help: 'Response time of media nodes, by ARI request.',
    processes: ['voice'],
    labels: {
      request: ['dial', 'decide', 'hangUp', 'limit', 'legs', 'answeredOnNode', 'readClock', 'info'],
      outcome: ['ok', 'failed'],
    },
    buckets: shortBuckets,
  },
  disca_media_nodes: { kind: 'gauge', help: 'Media nodes connected to this process.', processes: ['voice'] },
  disca_node_clock_skew_seconds: {
    kind: 'gauge',
    help: 'How far the clock of a media node is ahead of ours.',
    processes: ['voice'],
    labels: { node: [] },
  },
  disca_recordings_received_total: {
    kind: 'counter',
    help: 'Recording files uploaded by media nodes, by outcome.',
    processes: ['voice'],
    labels: { outcome: uploads },
  },
  disca_webhook_lag_seconds: {
    kind: 'histogram',
    help: 'Time from an event to the start of its first delivery attempt.',
    processes: ['worker'],
    buckets: longBuckets,
  },
  disca_webhook_attempts_total: {
    kind: 'counter',
    help: 'Webhook delivery attempts, by outcome.',
    processes: ['worker'],
    labels: { outcome: outcomes },
  },
  disca_job_seconds: {
    kind: 'histogram',
    help: 'Duration of jobs, by queue and outcome.',
    processes: ['worker'],
    labels: { queue: [], outcome: [] },
    buckets: longBuckets,
  },
  disca_queue_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the oldest due job of a queue has been waiting.',
    processes: ['worker'],
    labels: { queue: [] },
  },
  disca_event_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest event without a number (the outbox); 0 when there is none.',
    processes: ['worker'],
  },
  disca_call_oldest_wait_seconds: {
    kind: 'gauge',
    help: 'How long the oldest pending call has been waiting for a node; 0 when there is none.',
    processes: ['worker'],
  },
  disca_live_calls: {
    kind: 'gauge',
    help: 'Calls in progress, by state.',
    processes: ['worker'],
    labels: { state: [] },
  },
  disca_recordings_awaited: {
    kind: 'gauge',
    help: 'Recordings whose file has not arrived.',
    processes: ['worker'],
  },
  disca_recording_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest recording whose file has not arrived.',
    processes: ['worker'],
  },
  disca_registrations: { kind: 'gauge', help: 'Registered softphones.', processes: ['worker'] },
  disca_edges: {
    kind: 'gauge',
    help: `SIP edges seen within the last ${silentEdgeSeconds} s.`,
    processes: ['worker'],
  },
  disca_nodes: {
    kind: 'gauge',
    help: `Known media nodes: ready for calls, draining, or not seen for more than ${nodeHeardWithinSeconds} s.`,
    processes: ['worker'],
    labels: { state: [] },
  },
  disca_integrations_failing: {
    kind: 'gauge',
    help: 'Webhooks that only fail and are not disabled yet.',
    processes: ['worker'],
  },
  disca_ledger_differences: {
    kind: 'gauge',
    help: 'Differences found by the last ledger audit; absent until the first.',
    processes: ['worker'],
  },
  disca_ledger_audited_timestamp_seconds: {
    kind: 'gauge',
    help: 'Time of the last ledger audit, in seconds since 1970.',
    processes: ['worker'],
  },
  disca_state_read_failures_total: {
    kind: 'counter',
    help: 'Failed reads of the metrics that come from the database, which are absent meanwhile.',
    processes: ['worker'],
  },
  disca_shipper_recordings_waiting: {
    kind: 'gauge',
    help: 'Recording files on the media node.',
    processes: ['shipper'],
  },
  disca_shipper_recording_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest finished recording file on the media node; 0 when there is none.',
    processes: ['shipper'],
  },
  disca_shipper_records_behind_bytes: {
    kind: 'gauge',
    help: 'Detail records written but not shipped.',
    processes: ['shipper'],
  },
  disca_shipper_failures_total: {
    kind: 'counter',
    help: 'Rounds in which something could not be shipped; it is retried.',
    processes: ['shipper'],
  },
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricDefinitions;
