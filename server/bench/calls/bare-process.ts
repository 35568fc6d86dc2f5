import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { acceptNodes } from '../../src/adapters/asterisk/index.ts';
import type { EngineEnd } from '../../src/contexts/calls/index.ts';
import type { MediaNode } from '../../src/contexts/telephony/index.ts';
import { destinationRingSeconds, extensionRingSeconds } from '../../src/platform/call-timings.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import * as statements from './bare-statements.ts';

/**
 * The minimal prepaid call service: holds credit and records the call in one statement, dials with the service's engine
 * requests, and settles and ends the call in another. Each statement is its own durable transaction. It has no tokens,
 * limits, events, webhooks or recovery.
 */
const { DATABASE_URL, HTTP_PORT, VOICE_PORT, CARRIER = '' } = process.env;
const holdMicros = 600_000;
const microsPerSecond = 10_000;
const number = '5511987654321';

export interface BareOrder {
  accountId: number;
  ramal: string;
  domain: string;
}

const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
pool.on('error', (error) => console.error(error.message));
const answeredAt = new Map<string, number>();
let node: MediaNode | undefined;

const control = createServer((_request, response) => response.writeHead(404).end());
acceptNodes(control, {
  isSecret: async () => true,
  onNode: follow,
  onError: (error) => console.error(error),
});
control.listen(Number(VOICE_PORT), '127.0.0.1');

createServer((request, response) => {
  const reply = (status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  respond(request).then(
    ([status, body]) => reply(status, body),
    (error: Error) => reply(500, { error: error.message }),
  );
}).listen(Number(HTTP_PORT), '127.0.0.1');

async function respond(request: IncomingMessage): Promise<[number, object]> {
  if (request.method === 'POST') return await place(JSON.parse(await readBody(request)));
  if (request.url === '/ready') return [node ? 200 : 503, {}];
  const answers = [...answeredAt];
  answeredAt.clear();
  return [200, answers];
}

async function place({ accountId, ramal, domain }: BareOrder): Promise<[number, object]> {
  const id = uuidv7(new Date());
  const { rowCount } = await pool.query({
    name: 'hold',
    text: statements.holdAndInsert,
    values: [id, accountId, holdMicros, ramal, number],
  });
  if (rowCount === 0) return [402, {}];
  const isTaken = await node?.dial({
    callId: id,
    leg: `${id}.a`,
    extension: {
      ...{ ramal, domain, autoAnswer: false, ringSeconds: extensionRingSeconds },
      way: { edge: 1, media: 'plain' },
    },
    destination: {
      number,
      ringSeconds: destinationRingSeconds,
      routes: [{ number, address: CARRIER, transport: 'udp', endpoint: 'carrier', callerId: '551130000000' }],
    },
    fundedSeconds: holdMicros / microsPerSecond,
    record: false,
    notAfter: Math.ceil(Date.now() / 1000) + 5,
  });
  return isTaken ? [200, { id }] : [503, {}];
}

function follow(connected: MediaNode): void {
  node = connected;
  connected.onEvent((event) => {
    if (event.kind === 'answered') answeredAt.set(event.callId, Date.now());
    else if (event.kind === 'ended') settle(event.callId, event.end).catch((error) => console.error(error));
  });
}

async function settle(callId: string, { cause, answeredOnNode, endedOnNode }: EngineEnd): Promise<void> {
  const seconds = answeredOnNode === null ? 0 : Math.ceil(endedOnNode - answeredOnNode);
  await pool.query({
    name: 'settle',
    text: statements.settleAndEnd,
    values: [callId, seconds, seconds * microsPerSecond, cause],
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  return text;
}

process.on('SIGTERM', () => process.exit());
