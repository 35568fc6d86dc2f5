import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { SignalAction, SignalKind } from './signals.rules.ts';

export interface StoredSignal {
  id: string;
  kind: SignalKind;
  action: SignalAction;
  explanation: string;
  at: Date;
  liftedAt: Date | null;
}

type NewSignal = Omit<StoredSignal, 'liftedAt'>;

/**
 * Stores a signal unless the account has had one of its kind in the last day, or one that the operator lifted in the last
 * week. Returns whether it was stored. Concurrent workers wait for each other, so that one of them stores it.
 */
export async function insertSignal(tx: Tx, accountId: number, signal: NewSignal): Promise<boolean> {
  const lock = `signal:${accountId}:${signal.kind}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  const { rows } = await sql`
    insert into abuse_signals (id, account_id, kind, action, explanation, at)
    select ${signal.id}::uuid, ${accountId}::bigint, ${signal.kind}::text, ${signal.action}::text,
           ${signal.explanation}::text, ${signal.at}::timestamptz
     where not exists (
       select from abuse_signals
        where account_id = ${accountId} and kind = ${signal.kind}
          and (at > ${signal.at}::timestamptz - interval '1 day'
               or lifted_at > ${signal.at}::timestamptz - interval '7 days'))
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Returns the signals of the last 90 days, newest first. */
export async function findSignals(tx: Tx, accountId: number, at: Date): Promise<StoredSignal[]> {
  const rows = await tx
    .selectFrom('abuse_signals')
    .select(['id', 'kind', 'action', 'explanation', 'at', 'lifted_at as liftedAt'])
    .where('account_id', '=', accountId)
    .where('at', '>', new Date(at.getTime() - 90 * 86_400_000))
    .orderBy('at', 'desc')
    .limit(1_000)
    .execute();
  return rows as StoredSignal[];
}

/** Marks the signals as seen by the operator. Signals of their kinds are not stored again for a week. */
export async function liftSignals(tx: Tx, accountId: number, at: Date): Promise<void> {
  await tx
    .updateTable('abuse_signals')
    .set({ lifted_at: at })
    .where('account_id', '=', accountId)
    .where('lifted_at', 'is', null)
    .execute();
}

export interface OpenReview {
  domain: string;
  isSuspended: boolean;
  /** The newest signal or suspension, in words. */
  reason: string;
  at: Date;
}

/** Returns the accounts that are suspended or have signals that were not lifted. `db` must have the rights of operators. */
export const findOpenReviews = (db: Database): Promise<OpenReview[]> =>
  queryRows(
    db,
    sql<OpenReview>`
      select a.domain, c.suspended_at is not null as "isSuspended",
             coalesce(c.suspended_reason, s.kind || ': ' || s.explanation) as reason, coalesce(c.suspended_at, s.at) as at
        from accounts a
        left join account_caps c on c.account_id = a.id and c.suspended_at is not null
        left join lateral (
          select s.kind, s.explanation, s.at from abuse_signals s
           where s.account_id = a.id and s.lifted_at is null and s.at > now() - interval '90 days'
           order by s.at desc limit 1) s on true
       where c.account_id is not null or s.at is not null
       order by 4 desc limit 1000`,
  );

export interface NewNetwork {
  accountId: number;
  network: string;
  /** Extensions that logged in from it. */
  extensions: string[];
}

/** Records the networks of logins since a time; returns those that are new for accounts with an older network. */
export const noteNetworks = (
  db: Database,
  { since, knownBefore, at }: { since: Date; knownBefore: Date; at: Date },
): Promise<NewNetwork[]> =>
  queryRows(
    db,
    sql<NewNetwork>`
      select account_id as "accountId", network, string_to_array(extensions, ', ') as extensions
        from note_networks(${since}, ${knownBefore}, ${at})`,
  );

/** Removes up to `limit` older signals, in all accounts, and returns how many. */
export async function removeOldSignals(db: Database, before: Date, limit: number): Promise<number> {
  const query = sql<{ removed: number }>`select sweep_abuse_signals(${before}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}

/** Removes up to `limit` networks that no phone has used since then, in all accounts, and returns how many. */
export async function removeOldNetworks(db: Database, before: Date, limit: number): Promise<number> {
  const query = sql<{ removed: number }>`select sweep_phone_networks(${before}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}
