import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';

/** What a transaction wrote about a live call, and when it was committed. */
export interface Commit {
  callId: string;
  step: Step;
  atMs: number;
}

export const steps = ['placed', 'claimed', 'ringing', 'dialing', 'answered'] as const;
export type Step = (typeof steps)[number];

/**
 * Makes PostgreSQL note the transactions that write these steps of calls. Other rows do not show them: the event of an
 * answer is written again by the transaction that numbers it, and the live call is deleted.
 */
export async function recordCommits(query: OwnerQuery, recorded: readonly Step[]): Promise<void> {
  await query(`
    create schema bench;
    create unlogged table bench.commits (call_id uuid, step text);
    create function bench.record_commit() returns trigger language plpgsql security definer as $$
    begin
      insert into bench.commits values (new.call_id, case
        when tg_op = 'INSERT' then 'placed'
        when new.state <> old.state then new.state
        else 'claimed' end);
      return null;
    end $$`);
  const states = recorded.map((step) => `'${step}'`).join();
  await query(`
    create trigger bench_state after update of state on live_calls for each row
      when (new.state <> old.state and new.state in (${states})) execute function bench.record_commit()`);
  if (recorded.includes('claimed'))
    await query(`create trigger bench_claim after update of node on live_calls for each row
      when (old.node is null and new.node is not null) execute function bench.record_commit()`);
  if (recorded.includes('placed'))
    await query(`create trigger bench_placed after insert on live_calls for each row
      execute function bench.record_commit()`);
}

/** Returns the commits since the last time, and forgets them. */
export async function takeCommits(query: OwnerQuery): Promise<Commit[]> {
  const rows = await query(`
    with known as (select *, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as at_ms from bench.commits),
         forgotten as (delete from bench.commits)
    select call_id, step, at_ms from known`);
  return rows.map((row) => ({
    callId: String(row.call_id),
    step: row.step as Step,
    atMs: Number(row.at_ms),
  }));
}
