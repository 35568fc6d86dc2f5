/** SQL of the minimal prepaid call service. */
export const schema = `
  create schema bare;
  create table bare.accounts (
    id bigint primary key, balance_micros bigint not null check (balance_micros >= 0), held_micros bigint not null
  ) with (fillfactor = 50);
  create table bare.calls (
    id uuid primary key, account_id bigint not null references bare.accounts, ramal text not null, number text not null,
    status text not null, held_micros bigint not null, started_at timestamptz not null, ended_at timestamptz,
    duration integer, price_micros bigint, hangup_cause integer);
  create index on bare.calls (account_id, started_at)`;

export const holdAndInsert = `
  with held as (
    update bare.accounts set balance_micros = balance_micros - $3, held_micros = held_micros + $3
     where id = $2 and balance_micros >= $3 returning id
  )
  insert into bare.calls (id, account_id, ramal, number, status, held_micros, started_at)
  select $1, id, $4, $5, 'queued', $3, now() from held`;

export const settleAndEnd = `
  with ended as (
    update bare.calls set status = 'ended', ended_at = now(), duration = $2, price_micros = $3, hangup_cause = $4
     where id = $1 and status <> 'ended' returning account_id, held_micros
  )
  update bare.accounts a
     set held_micros = a.held_micros - e.held_micros, balance_micros = a.balance_micros + e.held_micros - $3
    from ended e where a.id = e.account_id`;
