import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import * as statements from './bare-statements.ts';

/**
 * A minimal durable webhook sender: claims due rows, builds and signs their bodies, POSTs them and records the attempts.
 * It has no limits, retries or recovery.
 */
const { DATABASE_URL, HTTP_PORT, RECEIVER = '' } = process.env;
const takers = 4;
const taken = 50;
const idlePauseMs = 100;

interface DueRow {
  id: number;
  event_id: string;
  url: string;
  secret: string;
  domain: string;
  data: { sequence: number; call: Record<string, unknown> & { ended_at: string; started_at: string } };
}

interface Sent {
  id: number;
  at: Date;
  durationMs: number;
  status: number;
}

const database = new pg.Pool({ connectionString: DATABASE_URL, max: takers });
database.on('error', (error) => console.error(error.message));
const http = new Pool(RECEIVER, { connections: takers * taken });

async function deliver(): Promise<never> {
  for (;;) {
    const { rows } = await database.query<DueRow>({ name: 'take', text: statements.take, values: [taken] });
    if (rows.length === 0) await sleep(idlePauseMs);
    else await record(await Promise.all(rows.map(post)));
  }
}

async function post(row: DueRow): Promise<Sent> {
  const at = new Date();
  const startedAtMs = performance.now();
  const body = buildBody(row);
  const answer = await http.request({
    method: 'POST',
    path: new URL(row.url).pathname,
    headers: { 'content-type': 'application/json', ...sign(row, at, body) },
    body,
  });
  await answer.body.dump();
  const durationMs = Math.round(performance.now() - startedAtMs);
  return { id: row.id, at, durationMs, status: answer.statusCode };
}

/** Builds the body from the row of the call, with times in ISO 8601. */
const buildBody = ({ event_id: id, domain, data: { sequence, call } }: DueRow): string =>
  JSON.stringify({
    ...{ id, sequence, domain, type: 'channel-hangup' },
    call: {
      ...call,
      startedAtIso: new Date(call.started_at).toISOString(),
      endedAtIso: new Date(call.ended_at).toISOString(),
    },
  });

/** Returns the Standard Webhooks headers. */
function sign({ event_id: eventId, secret }: DueRow, at: Date, body: string): Record<string, string> {
  const [id, timestamp] = [`msg_${eventId}`, String(Math.floor(at.getTime() / 1000))];
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${body}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature.digest('base64')}`,
  };
}

async function record(sent: Sent[]): Promise<void> {
  const values = [
    sent.map(({ id }) => id),
    sent.map(({ at }) => at),
    sent.map(({ durationMs }) => durationMs),
    sent.map(({ status }) => status),
  ];
  await database.query({ name: 'write', text: statements.write, values });
}

createServer((_request, response) => response.end()).listen(Number(HTTP_PORT), '127.0.0.1');
for (let taker = 0; taker < takers; taker += 1)
  deliver().catch((error) => {
    console.error(error);
    process.exit(1);
  });
process.on('SIGTERM', () => process.exit());
