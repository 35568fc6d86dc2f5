import pg from 'pg';
import { Pool } from 'undici';

/**
 * The least that delivers webhooks durably, as one would write it by hand: take due rows, POST them, write what came of
 * it, commit. No signature, no limits, no retries.
 */
export interface BareLoop {
  /** Makes so many rows due. */
  prepare(count: number): Promise<void>;
  /** Delivers all that is due, and answers how many seconds that took. */
  deliverAll(): Promise<number>;
  close(): Promise<void>;
}

const takers = 8;
const taken = 25;

interface DueRow {
  id: number;
  path: string;
  body: string;
}

export async function openBareLoop(ownerUrl: string, origin: string, body: string): Promise<BareLoop> {
  const database = new pg.Pool({ connectionString: ownerUrl, max: takers });
  const http = new Pool(origin, { connections: takers * taken });
  await database.query(
    `create table bare_due (id bigint generated always as identity primary key, path text not null, body text not null,
       state text not null, attempts integer not null, ended_at timestamptz);
     create index on bare_due (id) where state = 'pending';
     create table bare_attempts (due_id bigint not null, number integer not null, at timestamptz not null,
       duration_ms integer not null, status integer not null, primary key (due_id, number))`,
  );
  const post = async ({ id, path, body: text }: DueRow) => {
    const begun = performance.now();
    const at = new Date();
    const headers = { 'content-type': 'application/json' };
    const answer = await http.request({ method: 'POST', path, headers, body: text });
    await answer.body.dump();
    return { id, at, durationMs: Math.round(performance.now() - begun), status: answer.statusCode };
  };
  return {
    async prepare(count) {
      await database.query(
        `insert into bare_due (path, body, state, attempts)
         select '/ok/' || n % 1000, $2, 'pending', 0 from generate_series(1, $1) n`,
        [count, body],
      );
    },
    async deliverAll() {
      const startedAtMs = performance.now();
      await Promise.all(Array.from({ length: takers }, () => takeAll(database, post)));
      return (performance.now() - startedAtMs) / 1000;
    },
    async close() {
      await http.close();
      await database.end();
    },
  };
}

type Post = (row: DueRow) => Promise<{ id: number; at: Date; durationMs: number; status: number }>;

async function takeAll(database: pg.Pool, post: Post): Promise<void> {
  const client = await database.connect();
  try {
    while ((await takeSome(client, post)) > 0);
  } finally {
    client.release();
  }
}

async function takeSome(client: pg.PoolClient, post: Post): Promise<number> {
  await client.query('begin');
  const { rows } = await client.query<DueRow>({
    name: 'take',
    text: `select id, path, body from bare_due where state = 'pending' order by id limit $1 for update skip locked`,
    values: [taken],
  });
  const sent = await Promise.all(rows.map(post));
  await client.query({
    name: 'write',
    text: `with sent as (
        select * from unnest($1::bigint[], $2::timestamptz[], $3::integer[], $4::integer[])
          as sent (id, at, duration_ms, status)
      ), written as (
        insert into bare_attempts (due_id, number, at, duration_ms, status)
        select id, 1, at, duration_ms, status from sent
      )
      update bare_due d set state = 'delivered', attempts = 1, ended_at = sent.at from sent where d.id = sent.id`,
    values: [
      sent.map(({ id }) => id),
      sent.map(({ at }) => at),
      sent.map(({ durationMs }) => durationMs),
      sent.map(({ status }) => status),
    ],
  });
  await client.query('commit');
  return sent.length;
}
