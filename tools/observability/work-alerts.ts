import type { Alert } from './alert.ts';

const lag = (seconds: string): string => `disca_webhook_lag_seconds_bucket{process="worker",le="${seconds}"}`;
const attempts = (outcome: string): string =>
  `disca_webhook_attempts_total{process="worker",outcome="${outcome}"}`;
const jobs = (queue: string, outcome: string): string =>
  `disca_job_seconds_count{process="worker",queue="${queue}",outcome="${outcome}"}`;

/** Alerts for events, webhooks, jobs and the ledger. */
export const workAlerts: Alert[] = [
  {
    name: 'DiscaEventsNotNumbered',
    severity: 'critical',
    when: 'max(disca_event_oldest_seconds) > 30',
    lasting: '2m',
    summary: 'Events are not numbered: webhooks and event streams are stalled.',
    action: 'Read the log of the workers, and check that at least one of them runs.',
    fires: { series: { 'disca_event_oldest_seconds{process="worker"}': '60x10' }, at: '5m' },
    silent: { series: { 'disca_event_oldest_seconds{process="worker"}': '0 0.2 40 0x10' }, at: '5m' },
  },
  {
    name: 'DiscaWebhooksLate',
    severity: 'warning',
    when: 'histogram_quantile(0.95, sum by (le) (rate(disca_webhook_lag_seconds_bucket[10m]))) > 10',
    lasting: '5m',
    summary: '5 % of events are delivered later than 10 s after they occurred.',
    action: 'Check the queue webhooks.first and the load of the workers; start another worker.',
    fires: { series: { [lag('10')]: '0+5x30', [lag('30')]: '0+10x30', [lag('+Inf')]: '0+10x30' }, at: '20m' },
    silent: {
      series: { [lag('10')]: '0+10x30', [lag('30')]: '0+10x30', [lag('+Inf')]: '0+10x30' },
      at: '20m',
    },
  },
  {
    name: 'DiscaWebhooksFail',
    severity: 'warning',
    when: 'sum(rate(disca_webhook_attempts_total{outcome!="delivered"}[15m])) / sum(rate(disca_webhook_attempts_total[15m])) > 0.5',
    lasting: '15m',
    summary: 'Most webhooks fail. The cause is probably here, not in every receiver.',
    action:
      'See the outcomes on the dashboard: dns_failed and connect_failed indicate a problem in our network.',
    fires: {
      series: { [attempts('delivered')]: '0+1x60', [attempts('dns_failed')]: '0+9x60' },
      at: '45m',
    },
    silent: {
      series: { [attempts('delivered')]: '0+9x60', [attempts('bad_status')]: '0+1x60' },
      at: '45m',
    },
  },
  {
    name: 'DiscaQueueStuck',
    severity: 'critical',
    when: 'max by (queue) (disca_queue_oldest_seconds{queue!="webhooks.retry"}) > 300',
    lasting: '5m',
    summary: 'A job has been due for five minutes, but no worker runs it.',
    action: 'Check that workers run and read their log; mails, payments or webhooks are waiting.',
    fires: {
      series: { 'disca_queue_oldest_seconds{process="worker",queue="mail.send"}': '400x20' },
      at: '10m',
      labels: { queue: 'mail.send' },
    },
    silent: {
      series: {
        'disca_queue_oldest_seconds{process="worker",queue="mail.send"}': '2x20',
        'disca_queue_oldest_seconds{process="worker",queue="webhooks.retry"}': '4000x20',
      },
      at: '10m',
    },
  },
  {
    name: 'DiscaJobsFail',
    severity: 'warning',
    when: 'sum by (queue) (increase(disca_job_seconds_count{outcome="failed"}[30m])) > 5',
    lasting: '5m',
    summary: 'Jobs of a queue fail repeatedly.',
    action: 'Search the log of the workers for "job failed".',
    fires: {
      series: { [jobs('charges.check', 'failed')]: '0+1x60' },
      at: '45m',
      labels: { queue: 'charges.check' },
    },
    silent: {
      series: { [jobs('charges.check', 'failed')]: '0 0 1x60', [jobs('charges.check', 'done')]: '0+9x60' },
      at: '45m',
    },
  },
  {
    name: 'DiscaLedgerDiffers',
    severity: 'critical',
    when: 'max(disca_ledger_differences) > 0',
    lasting: '0m',
    summary: 'The audit found a difference between balances and ledger entries.',
    action: 'Run disca ledger audit, which lists every difference. Do not change the database manually.',
    fires: { series: { 'disca_ledger_differences{process="worker"}': '1x10' }, at: '5m' },
    silent: { series: { 'disca_ledger_differences{process="worker"}': '0x10' }, at: '5m' },
  },
  {
    name: 'DiscaLedgerNotAudited',
    severity: 'warning',
    when: 'time() - max(disca_ledger_audited_timestamp_seconds) > 26 * 3600',
    lasting: '10m',
    summary: 'The ledger has not been audited since yesterday.',
    action: 'Check the queue billing.audit and the log of the workers at 06:20 UTC; run disca ledger audit.',
    // Rule tests start at time 0, so the audit is 100,000 s in the past.
    fires: {
      series: { 'disca_ledger_audited_timestamp_seconds{process="worker"}': '-100000x30' },
      at: '20m',
    },
    silent: {
      series: { 'disca_ledger_audited_timestamp_seconds{process="worker"}': '-80000x30' },
      at: '20m',
    },
  },
];
