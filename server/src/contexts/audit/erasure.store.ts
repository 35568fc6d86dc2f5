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

/** Replaces texts; keeps keys, numbers and times. */
const withoutTexts = (column: 'before' | 'after') => sql`
  (select jsonb_object_agg(key, case when jsonb_typeof(value) = 'string' then to_jsonb(${erasedText}::text) else value end)
     from jsonb_each(${sql.ref(column)}))`;

export async function eraseFromEntries(
  tx: Tx,
  accountId: number,
  about: { word: string; targets: string[] },
  { from, until }: { from: Date; until: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    with found as (
      select id, lower(actor_email) = ${about.word} as is_actor,
             position(${about.word} in lower(concat(before::text, after::text))) > 0
               or target_type || ':' || target_id = any(${about.targets}) as is_subject
        from audit_entries where account_id = ${accountId} and at > ${from} and at <= ${until}
    )
    update audit_entries e
       set actor_email = case when found.is_actor then ${erasedText} else e.actor_email end,
           before = case when found.is_subject then ${withoutTexts('before')} else before end,
           after = case when found.is_subject then ${withoutTexts('after')} else after end
      from found where e.account_id = ${accountId} and e.id = found.id and (found.is_actor or found.is_subject)`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
