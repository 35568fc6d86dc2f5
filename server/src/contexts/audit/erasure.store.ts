import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { erasedText } from '../../platform/erased.ts';

const batch = 1_000;

/** Returns the time of the last entry of the next batch after this time; undefined if there are none. */
export async function findLastEntry(tx: Tx, accountId: number, after: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from (
      select at from audit_entries where account_id = ${accountId} and at > ${after} order by at limit ${batch}
    ) next`.execute(tx);
  return rows[0]?.at ?? undefined;
}

/** Replaces texts, and values with texts inside; keeps keys, numbers and times. */
const withoutTexts = (column: 'before' | 'after') => sql`
  (select jsonb_object_agg(key, case when jsonb_typeof(value) in ('string', 'object', 'array') then to_jsonb(${erasedText}::text) else value end)
     from jsonb_each(${sql.ref(column)}))`;

/** What belongs to its user and is deleted with them. */
const ownTargets = ['token', 'integration'];

export async function eraseFromEntries(
  tx: Tx,
  accountId: number,
  about: { word: string; mention: string; userUuids: string[]; targets: string[] },
  { from, until }: { from: Date; until: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with found as (
      select id, is_actor,
             concat_ws(' ', request_id, before::text, after::text) ~* ${about.mention}
               or target_type || ':' || target_id = any(${about.targets})
               or is_actor and target_type = any(${ownTargets}) as is_subject
        from audit_entries, lateral (select coalesce(
               lower(actor_email) = ${about.word} or actor_uuid = any(${about.userUuids}::uuid[]), false) as is_actor) actor
       where account_id = ${accountId} and at > ${from} and at <= ${until}
    )
    update audit_entries e
       set actor_email = case when found.is_actor then ${erasedText} else e.actor_email end,
           address = case when found.is_actor then ${erasedText} else e.address end,
           request_id = case when e.request_id ~* ${about.mention} then ${erasedText} else e.request_id end,
           before = case when found.is_subject then ${withoutTexts('before')} else before end,
           after = case when found.is_subject then ${withoutTexts('after')} else after end
      from found where e.account_id = ${accountId} and e.id = found.id and (found.is_actor or found.is_subject)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
