/** SQL of the minimal webhook sender. */
export const schema = `
  create schema bare;
  create table bare.endpoints (id bigint primary key, url text not null, secret text not null, domain text not null);
  create table bare.events (id uuid primary key, endpoint_id bigint not null, data jsonb not null);
  create table bare.due (
    id bigint generated always as identity primary key, event_id uuid not null, endpoint_id bigint not null,
    ended_at timestamptz not null, state text not null, attempts integer not null, taken_at timestamptz,
    sent_at timestamptz);
  create index on bare.due (id) where state = 'pending';
  create table bare.attempts (
    due_id bigint not null, number integer not null, at timestamptz not null, duration_ms integer not null,
    status integer not null, primary key (due_id, number))`;

/** One event for each endpoint, with the same data as those of the service. */
export const fill = `
  with endpoints as (
    insert into bare.endpoints (id, url, secret, domain)
    select account_id, webhook_url, encode(sha256(webhook_url::bytea), 'base64'), 'empresa.disca.test'
      from integrations where webhook returning id
  )
  insert into bare.events (id, endpoint_id, data)
  select gen_random_uuid(), e.id, jsonb_build_object('sequence', 4, 'call', to_jsonb(c) - 'timeline')
    from endpoints e join calls c on c.account_id = e.id`;

/** Schedules the event of each of these endpoints. */
export const schedule = `
  insert into bare.due (event_id, endpoint_id, ended_at, state, attempts)
  select id, endpoint_id, clock_timestamp(), 'pending', 0 from bare.events where endpoint_id = any ($1)`;

export const take = `
  with due as (
    select id from bare.due where state = 'pending' order by id limit $1 for update skip locked
  ), held as (
    update bare.due d set state = 'taken', taken_at = now() from due where d.id = due.id
    returning d.id, d.event_id, d.endpoint_id, d.ended_at
  )
  select h.id, h.event_id, p.url, p.secret, p.domain,
         jsonb_set(e.data, '{call,ended_at}', to_jsonb(h.ended_at)) as data
    from held h join bare.events e on e.id = h.event_id join bare.endpoints p on p.id = h.endpoint_id`;

export const write = `
  with sent as (
    select * from unnest($1::bigint[], $2::timestamptz[], $3::integer[], $4::integer[])
      as sent (id, at, duration_ms, status)
  ), written as (
    insert into bare.attempts (due_id, number, at, duration_ms, status)
    select id, 1, at, duration_ms, status from sent
  )
  update bare.due d set state = 'delivered', attempts = 1, sent_at = sent.at from sent where d.id = sent.id`;
