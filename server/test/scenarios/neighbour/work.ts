import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnerQuery } from '../../harness/fixtures/billing-rows.ts';
import { password } from '../../harness/people.ts';
import type { Receiver } from '../../harness/webhooks/receiver.ts';
import { sendRequest } from '../faults/send-request.ts';
import { freshAddress } from '../faults/tenants.ts';
import type { Line } from '../many-nodes/line.ts';
import { type PlacedCall, startCalling } from '../many-nodes/place-calls.ts';
import type { User } from './accounts.ts';

/** The account whose requests are measured. */
export interface Neighbour {
  id: number;
  apiUrl: string;
  lines: Line[];
  /** Users whose console is open. */
  users: User[];
  /** Logs in again and again. */
  visitor: User;
  receiver: Receiver;
}

export const measured = ['placements', 'webhooks', 'logins', 'console'] as const;
/** Milliseconds of each request or delivery. */
export type Times = Record<(typeof measured)[number], number[]>;

export interface Work {
  times: Times;
  placed: PlacedCall[];
  faults: string[];
}

/** Ends hanging requests only. */
const timeoutMs = 120_000;
const callsPerSecond = 1;
const loginsPerSecond = 1;
const pagesPerSecond = 4;
const pages = ['/users/me/context', '/calls/search', '/extensions', '/accounts/limits'];

/** Places calls, logs in and reads what the console shows, for some seconds. */
export async function work(neighbour: Neighbour, query: OwnerQuery, seconds: number): Promise<Work> {
  const { lines, users, visitor, apiUrl, receiver } = neighbour;
  const startedAt = new Date();
  const faults: string[] = [];
  const ask = async (question: Parameters<typeof sendRequest>[1]): Promise<number> => {
    const { status, tookMs, fault, text } = await sendRequest(apiUrl, {
      ...question,
      address: freshAddress(),
      timeoutMs,
    });
    if (status !== 200) faults.push(`${question.method} ${question.path}: ${status} ${fault ?? text}`);
    return tookMs;
  };
  const { email } = visitor;
  const calling = startCalling(lines, callsPerSecond);
  const [logins, console] = await Promise.all([
    repeat(loginsPerSecond, seconds, () =>
      ask({ method: 'POST', path: '/users/login', body: { email, password } }),
    ),
    repeat(pagesPerSecond, seconds, (count) => {
      const token = users[Math.floor(count / pages.length) % users.length]?.token ?? '';
      return ask({ method: 'GET', path: pages[count % pages.length] ?? '', token });
    }),
  ]);
  const placed = await calling.stop();
  faults.push(...placed.flatMap(({ fault }) => fault ?? []));
  await untilIdle(neighbour, query);
  const webhooks = await delaysSince(neighbour, query, startedAt, receiver);
  return {
    times: { placements: placed.map(({ tookMs }) => tookMs), webhooks, logins, console },
    placed,
    faults,
  };
}

/** Starts work at this rate; returns the results of all. */
async function repeat<T>(rate: number, seconds: number, begin: (count: number) => Promise<T>): Promise<T[]> {
  const started: Promise<T>[] = [];
  const startedAtMs = Date.now();
  while (started.length < rate * seconds) {
    started.push(begin(started.length));
    await sleep(Math.max(startedAtMs + (started.length * 1_000) / rate - Date.now(), 0));
  }
  return await Promise.all(started);
}

const maxIdleMs = 180_000;

/** Waits until the calls of the account have ended and its webhooks are delivered. */
async function untilIdle({ id }: Pick<Neighbour, 'id'>, query: OwnerQuery): Promise<void> {
  const deadline = Date.now() + maxIdleMs;
  for (;;) {
    const [left] = await query(
      `select (select count(*)::int from live_calls where account_id = $1) as calls,
              (select count(*)::int from event_outbox where account_id = $1) as events,
              (select count(*)::int from deliveries where account_id = $1 and state <> 'delivered') as webhooks`,
      [id],
    );
    if (Object.values(left ?? {}).every((count) => count === 0)) return;
    if (Date.now() > deadline) throw new Error(`The neighbour is not idle: ${JSON.stringify(left)}.`);
    await sleep(250);
  }
}

/** Returns the milliseconds from each event of the account to its webhook. */
async function delaysSince(
  { id }: Pick<Neighbour, 'id'>,
  query: OwnerQuery,
  since: Date,
  { received }: Receiver,
): Promise<number[]> {
  const events = await query(
    `select 'msg_' || id as id, extract(epoch from occurred_at)::float8 * 1000 as at
       from recorded_events where account_id = $1 and occurred_at >= $2`,
    [id, since],
  );
  const times = new Map(events.map((event) => [String(event.id), Number(event.at)]));
  return received.flatMap(({ headers, atMs }) => {
    const at = times.get(headers['webhook-id'] ?? '');
    return at === undefined ? [] : [Math.max(atMs - at, 0)];
  });
}
