import pg from 'pg';
import { Pool } from 'undici';

/**
 * A minimal hand-written durable webhook sender: selects due rows, POSTs their data and records the results. It has no
 * signatures, links, limits or retries.
 */
export interface BareLoop {
  /** Makes `count` events due. */
  prepare(count: number): Promise<void>;
  /** Delivers everything due; returns the duration in seconds. */
  deliverAll(): Promise<number>;
  close(): Promise<void>;
}

const takers = 4;
const taken = 50;

interface DueRow {
  id: number;
  url: string;
  data: object;
}

interface Sent {
  id: number;
  at: Date;
  durationMs: number;
  status: number;
}

export async function openBareLoop(ownerUrl: string, origin: string): Promise<BareLoop> {
  const database = new pg.Pool({ connectionString: ownerUrl, max: takers });
  const http = new Pool(origin, { connections: takers * taken });
  await database.query(schema);
  const post = async ({ id, url, data }: DueRow): Promise<Sent> => {
    const startedAtMs = performance.now();
    const answer = await http.request({
      method: 'POST',
      path: new URL(url).pathname,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(data),
    });
    await answer.body.dump();
    const durationMs = Math.round(performance.now() - startedAtMs);
    return { id, at: new Date(), durationMs, status: answer.statusCode };
  };
  const takeAll = async (): Promise<void> => {
    for (;;) {
      const { rows } = await database.query<DueRow>({ name: 'take', text: take, values: [taken] });
      if (rows.length === 0) return;
      const sent = await Promise.all(rows.map(post));
      await database.query({ name: 'write', text: write, values: toColumns(sent) });
    }
  };
  return {
    async prepare(count) {
      await database.query(prepare, [count]);
    },
    async deliverAll() {
      const startedAtMs = performance.now();
      await Promise.all(Array.from({ length: takers }, takeAll));
      return (performance.now() - startedAtMs) / 1000;
    },
    async close() {
      await http.close();
      await database.end();
    },
  };
}

const toColumns = (sent: Sent[]): unknown[] => [
  sent.map(({ id }) => id),
  sent.map(({ at }) => at),
  sent.map(({ durationMs }) => durationMs),
  sent.map(({ status }) => status),
];

const schema = `
  create table bare_due (
    id bigint generated always as identity primary key, event_id uuid not null, integration_id bigint not null,
    state text not null, attempts integer not null, taken_at timestamptz, ended_at timestamptz);
  create index on bare_due (id) where state = 'pending';
  create table bare_attempts (
    due_id bigint not null, number integer not null, at timestamptz not null, duration_ms integer not null,
    status integer not null, primary key (due_id, number))`;

const prepare = `
  insert into bare_due (event_id, integration_id, state, attempts)
  select e.id, i.id, 'pending', 0
    from (select * from events order by id desc limit $1) e join integrations i on i.account_id = e.account_id`;

const take = `
  with due as (
    select id from bare_due where state = 'pending' order by id limit $1 for update skip locked
  ), held as (
    update bare_due d set state = 'taken', taken_at = now() from due where d.id = due.id
    returning d.id, d.event_id, d.integration_id
  )
  select h.id, i.webhook_url as url, e.data
    from held h join events e on e.id = h.event_id join integrations i on i.id = h.integration_id`;

const write = `
  with sent as (
    select * from unnest($1::bigint[], $2::timestamptz[], $3::integer[], $4::integer[])
      as sent (id, at, duration_ms, status)
  ), written as (
    insert into bare_attempts (due_id, number, at, duration_ms, status)
    select id, 1, at, duration_ms, status from sent
  )
  update bare_due d set state = 'delivered', attempts = 1, ended_at = sent.at from sent where d.id = sent.id`;
