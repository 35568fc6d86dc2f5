import { askers, corrections, hangupCauses } from '../../contexts/calls/index.ts';
import { leaseChanges } from '../../contexts/telephony/index.ts';
import { outcomes } from '../../contexts/webhooks/index.ts';
import type { ErrorCode } from '../../platform/errors.ts';

export const processes = ['api', 'worker', 'voice', 'shipper'] as const;
export type ProcessName = (typeof processes)[number];

/** A figure that the service shows at /metrics, and as the table in docs/operate/monitor.md describes it. */
export interface Figure {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Which processes have something to say about it. */
  of: readonly ProcessName[];
  /**
   * Labels with the values that are there from the start, so that the first of a kind is seen as a change. Where there
   * are none, the values are those of routes, queues or nodes; nothing that a client makes up is ever a label.
   */
  labels?: Record<string, readonly string[]>;
  buckets?: number[];
}

const untilNode = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 30, 60, 90];
const short = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const patient = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

const everyServer = ['api', 'worker', 'voice'] as const;

/** Of the codes with which a call can be refused, those that say something about the service or about money. */
const watchedRefusals: readonly ErrorCode[] = [
  'INSUFFICIENT_CREDIT',
  'SPEND_LIMIT_REACHED',
  'CAPACITY_EXCEEDED',
  'DESTINATION_NOT_ALLOWED',
  'CALLER_ID_NOT_ALLOWED',
  'EXTENSION_NOT_REGISTERED',
  'SERVICE_UNAVAILABLE',
];

/** What became of a file that a media node has sent. */
const uploads = ['stored', 'known', 'refused', 'unexpected', 'failed'] as const;

export const figures = {
  disca_http_request_seconds: {
    kind: 'histogram',
    help: 'Time to answer, by route and status.',
    of: ['api'],
    labels: { method: [], route: [], status: [] },
    buckets: short,
  },
  disca_limiter_fallbacks_total: {
    kind: 'counter',
    help: 'Requests that were counted in the process because Redis was away.',
    of: ['api'],
  },
  disca_mails_withheld_total: {
    kind: 'counter',
    help: 'Mails left out because the address had got enough of their kind.',
    of: ['api'],
  },
  disca_redis_connected: {
    kind: 'gauge',
    help: '1 while the process has a connection to Redis.',
    of: ['api', 'worker'],
  },
  disca_database_pool_size: {
    kind: 'gauge',
    help: 'Connections that the pool may have.',
    of: everyServer,
  },
  disca_database_connections: { kind: 'gauge', help: 'Connections of the pool.', of: everyServer },
  disca_database_idle: { kind: 'gauge', help: 'Connections of the pool that nobody uses.', of: everyServer },
  disca_database_waiting: {
    kind: 'gauge',
    help: 'Requests that wait for a connection.',
    of: everyServer,
  },
  disca_calls_ended_total: {
    kind: 'counter',
    help: 'Calls that are over, by kind and hangup cause.',
    of: ['voice', 'worker', 'api'],
    labels: { kind: ['click', 'code', 'dialled', 'internal', 'inbound'], cause: hangupCauses },
  },
  disca_calls_answered_total: {
    kind: 'counter',
    help: 'Those of them in which both sides talked.',
    of: ['voice', 'worker', 'api'],
    labels: { kind: ['click', 'code', 'dialled', 'internal', 'inbound'] },
  },
  disca_call_refusals_total: {
    kind: 'counter',
    help: 'Calls that were not placed, and renewals of the hold of a talking call, by who asked and why not.',
    of: ['api', 'voice'],
    labels: { asked_by: askers, code: watchedRefusals },
  },
  disca_call_setup_seconds: {
    kind: 'histogram',
    help: 'From the request for a call until a node has it, the phone rings, the destination is dialled and answers.',
    of: ['voice'],
    labels: { step: ['claimed', 'ringing', 'dialing', 'answered'] },
    buckets: untilNode,
  },
  disca_call_corrections_total: {
    kind: 'counter',
    help: 'Calls that were put right by the reconciler, a sweep or a detail record because nobody had told.',
    of: ['voice', 'worker'],
    labels: { how: corrections },
  },
  disca_lease_changes_total: {
    kind: 'counter',
    help: 'Media nodes that came to this process, as they were or started anew, or that another process took.',
    of: ['voice'],
    labels: { change: leaseChanges },
  },
  disca_engine_request_seconds: {
    kind: 'histogram',
    help: 'Time until a media node has answered, by what it was asked (ARI).',
    of: ['voice'],
    labels: {
      request: ['dial', 'decide', 'hangUp', 'limit', 'legs', 'answeredOnNode', 'readClock', 'info'],
      outcome: ['ok', 'failed'],
    },
    buckets: short,
  },
  disca_media_nodes: { kind: 'gauge', help: 'Media nodes connected to this process.', of: ['voice'] },
  disca_node_clock_skew_seconds: {
    kind: 'gauge',
    help: 'How far a media node is ahead of us.',
    of: ['voice'],
    labels: { node: [] },
  },
  disca_recordings_received_total: {
    kind: 'counter',
    help: 'Files of recordings that media nodes sent, by what became of them.',
    of: ['voice'],
    labels: { outcome: uploads },
  },
  disca_webhook_lag_seconds: {
    kind: 'histogram',
    help: 'From an event to the beginning of the first attempt to deliver it.',
    of: ['worker'],
    buckets: patient,
  },
  disca_webhook_attempts_total: {
    kind: 'counter',
    help: 'Attempts to deliver webhooks, by what came of them.',
    of: ['worker'],
    labels: { outcome: outcomes },
  },
  disca_job_seconds: {
    kind: 'histogram',
    help: 'Time that jobs took, by queue and outcome.',
    of: ['worker'],
    labels: { queue: [], outcome: [] },
    buckets: patient,
  },
  disca_queue_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the oldest job of a queue has been due without being taken.',
    of: ['worker'],
    labels: { queue: [] },
  },
  disca_event_oldest_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest event that has no number yet (the outbox); 0 when there is none.',
    of: ['worker'],
  },
  disca_call_oldest_wait_seconds: {
    kind: 'gauge',
    help: 'How long the oldest call has waited for a node; 0 when none waits.',
    of: ['worker'],
  },
  disca_live_calls: {
    kind: 'gauge',
    help: 'Calls that are not over, by state.',
    of: ['worker'],
    labels: { state: [] },
  },
  disca_recordings_awaited: {
    kind: 'gauge',
    help: 'Recordings whose file has not come yet.',
    of: ['worker'],
  },
  disca_recording_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the file of a recording has been waited for, at most.',
    of: ['worker'],
  },
  disca_registrations: { kind: 'gauge', help: 'Softphones that are registered.', of: ['worker'] },
  disca_edges: { kind: 'gauge', help: 'SIP edges that were heard of within 6 s.', of: ['worker'] },
  disca_nodes: {
    kind: 'gauge',
    help: 'Media nodes that are known: ready for calls, draining, or silent for more than 4 s.',
    of: ['worker'],
    labels: { state: [] },
  },
  disca_integrations_failing: {
    kind: 'gauge',
    help: 'Webhooks from which nothing but failures come, and which are not disabled yet.',
    of: ['worker'],
  },
  disca_ledger_differences: {
    kind: 'gauge',
    help: 'Differences that the last audit of the ledger found; absent until the first.',
    of: ['worker'],
  },
  disca_ledger_audited_timestamp_seconds: {
    kind: 'gauge',
    help: 'When the ledger was last audited, in seconds since 1970.',
    of: ['worker'],
  },
  disca_state_read_failures_total: {
    kind: 'counter',
    help: 'Times that the figures which come from the database could not be read; they are absent then.',
    of: ['worker'],
  },
  disca_shipper_recordings_waiting: {
    kind: 'gauge',
    help: 'Files of recordings that are on the media node.',
    of: ['shipper'],
  },
  disca_shipper_recording_oldest_seconds: {
    kind: 'gauge',
    help: 'How long the oldest of them has been finished; 0 when there is none.',
    of: ['shipper'],
  },
  disca_shipper_records_behind_bytes: {
    kind: 'gauge',
    help: 'Detail records that are written and not shipped.',
    of: ['shipper'],
  },
  disca_shipper_failures_total: {
    kind: 'counter',
    help: 'Rounds in which something could not be shipped; it is tried again.',
    of: ['shipper'],
  },
} satisfies Record<string, Figure>;

export type FigureName = keyof typeof figures;
