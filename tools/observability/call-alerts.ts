import { worryingClockSkewSeconds } from '../../server/src/platform/call-timings.ts';
import type { Alert } from './alert.ts';

const endedBy = (cause: string): string =>
  `disca_calls_ended_total{process="voice",kind="click",cause="${cause}"}`;
const corrected = (how: string): string => `disca_call_corrections_total{process="voice",how="${how}"}`;
const audioMissing = (from: string, reason = 'no_packets'): string =>
  `disca_call_audio_missing_total{process="voice",from="${from}",reason="${reason}"}`;
const abuse = (action: string): string =>
  `disca_abuse_signals_total{process="worker",kind="new_destinations",action="${action}"}`;
const answeredCalls = 'disca_calls_answered_total{process="voice",kind="click"}';
const refused = (code: string): string =>
  `disca_call_refusals_total{process="api",asked_by="api",code="${code}"}`;
const claimed = (seconds: string): string =>
  `disca_call_setup_seconds_bucket{process="voice",step="claimed",le="${seconds}"}`;
const asked = (seconds: string): string =>
  `disca_engine_request_seconds_bucket{process="voice",request="dial",outcome="ok",le="${seconds}"}`;

/** Alerts for calls, media nodes, edges and recordings. */
export const callAlerts: Alert[] = [
  {
    name: 'DiscaNoMediaNode',
    severity: 'critical',
    when: 'max(disca_nodes{state="ready"}) == 0',
    lasting: '30s',
    summary: 'No media node is ready: no calls are possible.',
    action: 'Run disca node list; check that Asterisk runs, reaches voice, and is not drained.',
    fires: { series: { 'disca_nodes{process="worker",state="ready"}': '0x10' }, at: '5m' },
    silent: { series: { 'disca_nodes{process="worker",state="ready"}': '1x10' }, at: '5m' },
  },
  {
    name: 'DiscaMediaNodeSilent',
    severity: 'warning',
    when: 'max(disca_nodes{state="silent"}) > 0',
    lasting: '2m',
    summary: 'A known media node is not responding; the others take its calls.',
    action: 'Run disca node list. Restart the node, or disca node remove it if it no longer exists.',
    fires: { series: { 'disca_nodes{process="worker",state="silent"}': '1x10' }, at: '5m' },
    silent: { series: { 'disca_nodes{process="worker",state="silent"}': '0 0 0 1 0x10' }, at: '5m' },
  },
  {
    name: 'DiscaNoEdge',
    severity: 'critical',
    when: 'max(disca_edges) == 0',
    lasting: '30s',
    summary: 'No SIP edge is available: softphones can neither register nor receive calls.',
    action: 'Check that Kamailio runs and reaches PostgreSQL.',
    fires: { series: { 'disca_edges{process="worker"}': '0x10' }, at: '5m' },
    silent: { series: { 'disca_edges{process="worker"}': '2x10' }, at: '5m' },
  },
  {
    name: 'DiscaNodeClockOff',
    severity: 'warning',
    when: `abs(disca_node_clock_skew_seconds) > ${worryingClockSkewSeconds}`,
    lasting: '5m',
    summary: `The clock of a media node is more than ${worryingClockSkewSeconds} s off. Durations stay correct; timestamps do not.`,
    action: 'Check NTP on that machine.',
    fires: {
      series: { 'disca_node_clock_skew_seconds{process="voice",node="m1"}': '-4x20' },
      at: '10m',
      labels: { process: 'voice', node: 'm1' },
    },
    silent: { series: { 'disca_node_clock_skew_seconds{process="voice",node="m1"}': '0.1x20' }, at: '10m' },
  },
  {
    name: 'DiscaCallsFail',
    severity: 'critical',
    when: 'sum(rate(disca_calls_ended_total{cause=~"NORMAL_TEMPORARY_FAILURE|NETWORK_OUT_OF_ORDER|SWITCH_CONGESTION|NORMAL_CIRCUIT_CONGESTION|RECOVERY_ON_TIMER_EXPIRE"}[10m])) / sum(rate(disca_calls_ended_total[10m])) > 0.05',
    lasting: '5m',
    summary: 'More than 5 % of calls end with an error of the service or the carrier.',
    action: 'See which causes grow on the calls dashboard; run disca trunk test for the carrier.',
    fires: {
      series: { [endedBy('NORMAL_CLEARING')]: '0+10x30', [endedBy('NETWORK_OUT_OF_ORDER')]: '0+2x30' },
      at: '20m',
    },
    silent: {
      series: {
        [endedBy('NORMAL_CLEARING')]: '0+10x30',
        [endedBy('NO_ANSWER')]: '0+9x30',
        [endedBy('NETWORK_OUT_OF_ORDER')]: '0 0 0 1x30',
      },
      at: '20m',
    },
  },
  {
    name: 'DiscaCallsWait',
    severity: 'critical',
    when: 'max(disca_call_oldest_wait_seconds) > 3',
    lasting: '1m',
    summary: 'Calls wait for a media node; after 5 s they are cancelled.',
    action: 'Check that voice runs, and whether nodes are full (NODE_MAX_CALLS), drained or slow to respond.',
    fires: { series: { 'disca_call_oldest_wait_seconds{process="worker"}': '4x10' }, at: '5m' },
    silent: { series: { 'disca_call_oldest_wait_seconds{process="worker"}': '0 0.3 0 4 0x10' }, at: '5m' },
  },
  {
    name: 'DiscaCallSetupSlow',
    severity: 'warning',
    when: 'histogram_quantile(0.95, sum by (le) (rate(disca_call_setup_seconds_bucket{step="claimed"}[10m]))) > 1',
    lasting: '5m',
    summary: '5 % of calls wait longer than a second for a media node.',
    action: 'Check the load of voice and PostgreSQL; without Redis, voice polls only every 400 ms.',
    fires: {
      series: { [claimed('1')]: '0+5x30', [claimed('2')]: '0+10x30', [claimed('+Inf')]: '0+10x30' },
      at: '20m',
    },
    silent: {
      series: { [claimed('1')]: '0+10x30', [claimed('2')]: '0+10x30', [claimed('+Inf')]: '0+10x30' },
      at: '20m',
    },
  },
  {
    name: 'DiscaCallsLost',
    severity: 'critical',
    when: 'sum(increase(disca_call_corrections_total{how=~"node_lost|engine_lost"}[15m])) > 0',
    lasting: '0m',
    summary:
      'Calls were lost with their media node or its engine. They were settled up to the time the node was last seen.',
    action: 'Check why Asterisk or its machine stopped; the log of voice lists the calls.',
    fires: { series: { [corrected('engine_lost')]: '0 0 0 2x20' }, at: '10m' },
    silent: { series: { [corrected('engine_lost')]: '2x30', [corrected('adopted')]: '0+1x30' }, at: '20m' },
  },
  {
    name: 'DiscaOneWayAudio',
    severity: 'warning',
    when: 'sum(increase(disca_call_audio_missing_total{reason!="other_address"}[30m])) > 3 and sum(increase(disca_call_audio_missing_total{reason!="other_address"}[30m])) / (sum(increase(disca_calls_answered_total[30m])) + 1) > 0.02',
    lasting: '5m',
    summary:
      'In more than 2 % of answered calls no audio arrives from a party, or audio that cannot be decoded.',
    action:
      'Run disca doctor "call audio": it shows the side, the nodes and the usual causes (NAT, firewall, codec). The timeline of a call shows its own faults.',
    fires: { series: { [audioMissing('destination')]: '0+1x60', [answeredCalls]: '0+10x60' }, at: '45m' },
    silent: { series: { [audioMissing('extension')]: '0+1x60', [answeredCalls]: '0+100x60' }, at: '45m' },
  },
  {
    name: 'DiscaAudioDiverted',
    severity: 'warning',
    when: 'sum(increase(disca_call_audio_missing_total{reason="other_address"}[15m])) > 0',
    lasting: '0m',
    summary: 'Calls were ended because their audio went to another address than that of the phone.',
    action:
      'The log of voice has both addresses. If it is a separate media server of a customer, an ADMIN can switch on mediaFromAnyAddress; otherwise someone tries to hear calls: block that address, and recommend TLS.',
    fires: { series: { [audioMissing('extension', 'other_address')]: '0 0 0 1x20' }, at: '10m' },
    silent: { series: { [audioMissing('extension')]: '0 0 0 1x20' }, at: '10m' },
  },
  {
    name: 'DiscaAccountSuspended',
    severity: 'critical',
    when: 'sum(increase(disca_abuse_signals_total{action="suspend"}[15m])) > 0',
    lasting: '0m',
    summary: 'Outbound calls of an account were suspended, because they looked like fraud.',
    action:
      'Run disca account review to see the accounts and the reasons. Ask the customer, then lift it with disca account review ACCOUNT --lift.',
    fires: { series: { [abuse('suspend')]: '0 0 0 1x20' }, at: '10m' },
    silent: { series: { [abuse('alert')]: '0 0 0 1x20', [abuse('suspend')]: '1x20' }, at: '10m' },
  },
  {
    name: 'DiscaReconcilerBusy',
    severity: 'warning',
    when: 'sum(increase(disca_call_corrections_total{how=~"record|adopted|stranger|unclaimed"}[15m])) > 20',
    lasting: '5m',
    summary: 'Many calls are closed by reconciliation because engine events are missing.',
    action: 'Check whether voice restarts repeatedly, and the network between voice and the media nodes.',
    fires: { series: { [corrected('record')]: '0+3x40' }, at: '30m' },
    silent: { series: { [corrected('record')]: '0 0 0 4x40' }, at: '30m' },
  },
  {
    name: 'DiscaLeasesFlap',
    severity: 'warning',
    when: 'sum(increase(disca_lease_changes_total[15m])) > 20',
    lasting: '5m',
    summary: 'The leases of media nodes change repeatedly.',
    action: 'Check whether voice restarts repeatedly, or a node loses its connection.',
    fires: { series: { 'disca_lease_changes_total{process="voice",change="taken"}': '0+2x40' }, at: '30m' },
    silent: {
      series: { 'disca_lease_changes_total{process="voice",change="taken"}': '0 0 0 4x40' },
      at: '30m',
    },
  },
  {
    name: 'DiscaEngineSlow',
    severity: 'warning',
    when: 'histogram_quantile(0.99, sum by (le) (rate(disca_engine_request_seconds_bucket[5m]))) > 0.5',
    lasting: '5m',
    summary: 'Media nodes respond slowly.',
    action: 'Check the CPU usage of the media nodes; drain one, or add another.',
    fires: {
      series: { [asked('0.5')]: '0+50x30', [asked('1')]: '0+60x30', [asked('+Inf')]: '0+60x30' },
      at: '15m',
    },
    silent: {
      series: { [asked('0.5')]: '0+60x30', [asked('1')]: '0+60x30', [asked('+Inf')]: '0+60x30' },
      at: '15m',
    },
  },
  {
    name: 'DiscaMoneyRefusesCalls',
    severity: 'warning',
    when: 'sum(rate(disca_call_refusals_total{code=~"INSUFFICIENT_CREDIT|SPEND_LIMIT_REACHED"}[15m])) / (sum(rate(disca_call_refusals_total[15m])) + sum(rate(disca_calls_ended_total[15m]))) > 0.5',
    lasting: '15m',
    summary: 'More than half of all calls are refused for insufficient credit.',
    action:
      'Check whether payments are credited (charges and the gateway queue) and whether a price list is wrong.',
    fires: {
      series: { [refused('INSUFFICIENT_CREDIT')]: '0+10x60', [endedBy('NORMAL_CLEARING')]: '0+2x60' },
      at: '45m',
    },
    silent: {
      series: { [refused('INSUFFICIENT_CREDIT')]: '0+1x60', [endedBy('NORMAL_CLEARING')]: '0+10x60' },
      at: '45m',
    },
  },
  {
    name: 'DiscaRecordingsLate',
    severity: 'warning',
    when: 'max(disca_recording_oldest_seconds) > 900',
    lasting: '5m',
    summary: 'A recording has not arrived from its media node for 15 minutes.',
    action: 'Check the shipper on that node, and whether the storage accepts files.',
    fires: { series: { 'disca_recording_oldest_seconds{process="worker"}': '1000x20' }, at: '10m' },
    silent: { series: { 'disca_recording_oldest_seconds{process="worker"}': '30x20' }, at: '10m' },
  },
  {
    name: 'DiscaShipperBehind',
    severity: 'warning',
    when: 'max by (instance) (disca_shipper_recording_oldest_seconds) > 900 or max by (instance) (disca_shipper_records_behind_bytes) > 1e6',
    lasting: '5m',
    summary: 'Recordings or detail records accumulate on a media node.',
    action: 'Read the log of that shipper: voice is unavailable, or rejects the node or its files.',
    fires: {
      series: { 'disca_shipper_records_behind_bytes{process="shipper",instance="m1:9400"}': '5000000x20' },
      at: '10m',
      labels: { instance: 'm1:9400' },
    },
    silent: {
      series: {
        'disca_shipper_records_behind_bytes{process="shipper",instance="m1:9400"}': '300x20',
        'disca_shipper_recording_oldest_seconds{process="shipper",instance="m1:9400"}': '4x20',
      },
      at: '10m',
    },
  },
];
