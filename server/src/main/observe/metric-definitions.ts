import { signalKinds } from '../../contexts/abuse/index.ts';
import {
  audioParties,
  audioReasons,
  hangupCauses,
  reconciliations,
  requesters,
} from '../../contexts/calls/index.ts';
import { refusedResources } from '../../contexts/limits/index.ts';
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
  /** Processes that export the metric. */
  processes: readonly ProcessName[];
  /**
   * Labels with their initial values, so that the first increment is visible as a change. An empty list means that the
   * values are routes, queues or nodes; client input is never a label.
   */
  labels?: Record<string, readonly string[]>;
  buckets?: number[];
}

const setUpBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 90];
const shortBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const longBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

const everyServer = ['api', 'worker', 'voice'] as const;

/** Call refusals that are counted: those caused by the service or by money. */
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

const counter = (processes: readonly ProcessName[], help: string) =>
  ({ kind: 'counter', help, processes }) as const;
const gauge = (processes: readonly ProcessName[], help: string) =>
  ({ kind: 'gauge', help, processes }) as const;

export const metricDefinitions = {
  disca_http_request_seconds: {
    kind: 'histogram',
    help: 'Response time, by route and status.',
    processes: ['api'],
    labels: { method: [], route: [], status: [] },
    buckets: shortBuckets,
  },
  disca_budget_refusals_total: {
    kind: 'counter',
    help: 'Requests refused because a budget of the account was used up, by resource.',
    processes: ['api'],
    labels: { resource: refusedResources },
  },
  disca_limiter_fallbacks_total: counter(
    ['api', 'worker'],
    'Requests counted per process because Redis was unavailable.',
  ),
  disca_mails_withheld_total: counter(
    ['api'],
    'Mails not sent because the recipient had reached the limit for mails of that kind.',
  ),
  disca_requests_not_recorded_total: counter(
    ['api'],
    'Requests missing from the request log because the database was unavailable or too slow.',
  ),
  disca_redis_connected: gauge(['api', 'worker'], '1 while the process is connected to Redis.'),
  disca_database_pool_size: gauge(everyServer, 'Maximum connections of the pool.'),
  disca_database_connections: gauge(everyServer, 'Open connections of the pool.'),
  disca_database_idle: gauge(everyServer, 'Idle connections of the pool.'),
  disca_database_waiting: gauge(everyServer, 'Requests waiting for a connection.'),
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
  disca_abuse_signals_total: {
    kind: 'counter',
    help: 'What looked like abuse of an account, against its own history; see disca account review.',
    processes: ['worker'],
    labels: { kind: signalKinds, action: ['alert', 'suspend'] },
  },
  disca_call_corrections_total: {
    kind: 'counter',
    help: 'Calls closed by the reconciler, a sweep or a detail record because the engine event was missing.',
    processes: ['voice', 'worker'],
    labels: { how: reconciliations },
  },
  disca_call_audio_missing_total: {
    kind: 'counter',
    help: 'Answered calls in which the media node received no packets from a party, or could not decode them.',
    processes: ['voice'],
    labels: { from: audioParties, reason: audioReasons },
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
      request: [
        'dial',
        'decide',
        'hangUp',
        'limit',
        'legs',
        'answeredOnNode',
        'dialledLeg',
        'traffic',
        'isHeld',
        'addTrunk',
        'removeTrunk',
        'identifyCarrier',
        'readClock',
        'info',
      ],
      outcome: ['ok', 'failed'],
    },
    buckets: shortBuckets,
  },
  disca_media_nodes: gauge(['voice'], 'Media nodes connected to this process.'),
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
  disca_event_oldest_seconds: gauge(
    ['worker'],
    'Age of the oldest event without a number (the outbox); 0 when there is none.',
  ),
  disca_call_oldest_wait_seconds: gauge(
    ['worker'],
    'How long the oldest pending call has been waiting for a node; 0 when there is none.',
  ),
  disca_live_calls: {
    kind: 'gauge',
    help: 'Calls in progress, by state.',
    processes: ['worker'],
    labels: { state: [] },
  },
  disca_recordings_awaited: gauge(['worker'], 'Recordings whose file has not arrived.'),
  disca_recording_oldest_seconds: gauge(
    ['worker'],
    'Age of the oldest recording whose file has not arrived.',
  ),
  disca_registrations: gauge(['worker'], 'Registered softphones.'),
  disca_edges: gauge(['worker'], `SIP edges seen within the last ${silentEdgeSeconds} s.`),
  disca_nodes: {
    kind: 'gauge',
    help: `Known media nodes: ready for calls, draining, or not seen for more than ${nodeHeardWithinSeconds} s.`,
    processes: ['worker'],
    labels: { state: [] },
  },
  disca_integrations_failing: gauge(
    ['worker'],
    'Webhooks whose deliveries all fail and that are not disabled yet.',
  ),
  disca_budgets_used_up: {
    kind: 'gauge',
    help: 'Accounts that use up a budget of which no request is refused by name, by resource; read every 30 s.',
    processes: ['worker'],
    labels: { resource: [] },
  },
  disca_ledger_differences: gauge(
    ['worker'],
    'Differences found by the last ledger audit; absent until the first.',
  ),
  disca_ledger_audited_timestamp_seconds: gauge(
    ['worker'],
    'Time of the last ledger audit, in seconds since 1970.',
  ),
  disca_state_read_failures_total: counter(
    ['worker'],
    'Failed reads of metrics from the database. These metrics are absent until a read succeeds.',
  ),
  disca_shipper_recordings_waiting: gauge(['shipper'], 'Recording files on the media node.'),
  disca_shipper_recording_oldest_seconds: gauge(
    ['shipper'],
    'Age of the oldest finished recording file on the media node; 0 when there is none.',
  ),
  disca_shipper_records_behind_bytes: gauge(['shipper'], 'Detail records written but not shipped.'),
  disca_shipper_failures_total: counter(
    ['shipper'],
    'Upload rounds with at least one failed upload, which is retried.',
  ),
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricDefinitions;
