/** What was measured, and by what. Processor time is that of one core of the machine that docs/scale.md describes. */
export interface Figure {
  value: number;
  unit: string;
  what: string;
  measuredBy: string;
}

const edgeBench = '`./dev bench edge`';
const callBench = '`./dev bench calls`';
const webhookBench = '`./dev bench webhooks`';
const bareTrial = 'trial of the bare engines, not repeated with ours';

const ms = (value: number, what: string, measuredBy: string): Figure => ({
  value,
  unit: 'ms',
  what,
  measuredBy,
});

export const figures = {
  edgeLogin: ms(1, 'Kamailio, a login with its challenge', edgeBench),
  databaseLogin: ms(2.9, 'PostgreSQL, a login', edgeBench),
  edgePing: ms(0.02, 'Kamailio and PostgreSQL, a ping that keeps the way to a phone open', edgeBench),
  edgeCall: ms(1.4, 'Kamailio, a call', callBench),
  nodeCall: ms(10.8, 'Asterisk, a call set up and ended', callBench),
  nodeTalk: ms(2.2, 'Asterisk, a second of talk, relayed', bareTrial),
  nodeRecorded: ms(4.9, 'Asterisk, a second of talk, relayed and recorded', bareTrial),
  nodeBrowser: ms(32, 'Asterisk, a second of talk with a browser in Opus, more', bareTrial),
  apiCall: ms(3.4, 'api, a call', callBench),
  voiceCall: ms(2.7, 'voice, a call', callBench),
  workerCall: ms(0.5, 'worker, a call', callBench),
  databaseCall: ms(9.3, 'PostgreSQL, a call', callBench),
  workerWebhook: ms(0.3, 'worker, a webhook', webhookBench),
  databaseWebhook: ms(0.13, 'PostgreSQL, a webhook', webhookBench),
  databaseRow: {
    value: 484,
    unit: 'B',
    what: 'PostgreSQL, a call in the list of calls with its indexes',
    measuredBy: 'trial with 6 million rows',
  },
} satisfies Record<string, Figure>;

/** How far we have gone. Nobody has seen a larger cell, so none is planned. */
export const tried = {
  phonesACell: 100_000,
  callsPerSecondACell: 60,
};
