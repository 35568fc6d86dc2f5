/** A measured cost and the benchmark it comes from. CPU time is that of one core of the machine described in docs/scale.md. */
export interface Figure {
  value: number;
  unit: string;
  what: string;
  measuredBy: string;
}

const edgeBench = '`./dev bench edge`';
const callBench = '`./dev bench calls`';
const webhookBench = '`./dev bench webhooks`';
const bareTrial = 'test of the bare engines, not repeated with Disca';

const ms = (value: number, what: string, measuredBy: string): Figure => ({
  value,
  unit: 'ms',
  what,
  measuredBy,
});

export const figures = {
  edgeLogin: ms(1, 'Kamailio, login with challenge', edgeBench),
  databaseLogin: ms(1.4, 'PostgreSQL, login', edgeBench),
  edgePing: ms(0.034, 'Kamailio and PostgreSQL, NAT keep-alive ping', edgeBench),
  edgeCall: ms(1.8, 'Kamailio, call', callBench),
  nodeCall: ms(8.1, 'Asterisk, call setup and teardown', callBench),
  nodeTalk: ms(2.2, 'Asterisk, second of talk time, relayed', bareTrial),
  nodeRecorded: ms(4.9, 'Asterisk, second of talk time, relayed and recorded', bareTrial),
  nodeBrowser: ms(32, 'Asterisk, second of talk time with a browser in Opus, additional', bareTrial),
  apiCall: ms(3.1, 'api, call', callBench),
  voiceCall: ms(2.4, 'voice, call', callBench),
  workerCall: ms(0.3, 'worker, call', callBench),
  databaseCall: ms(6.6, 'PostgreSQL, call', callBench),
  workerWebhook: ms(0.2, 'worker, webhook', webhookBench),
  databaseWebhook: ms(0.36, 'PostgreSQL, webhook', webhookBench),
  databaseRow: {
    value: 484,
    unit: 'B',
    what: 'PostgreSQL, call record with its indexes',
    measuredBy: 'test with 6 million rows',
  },
} satisfies Record<string, Figure>;

/** The largest cell that was tested. No plan exceeds it. */
export const tried = {
  phonesACell: 100_000,
  callsPerSecondACell: 60,
};
