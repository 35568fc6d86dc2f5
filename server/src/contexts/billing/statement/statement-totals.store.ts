import type { Tx } from '../../../platform/db/database.ts';
import { executePrepared, prepared } from '../../../platform/db/prepared.ts';
import type { Book } from '../ledger/ledger.ts';

/** A period, unbounded where a time is undefined. */
interface Period {
  since: Date | undefined;
  until: Date | undefined;
}

/** What changed the balance in a period, by type of entry, and the balance before it. */
interface TotalMicros {
  opening: number;
  charges: number;
  refunds: number;
  chargebacks: number;
  adjustments: number;
  calls: number;
  entries: number;
}

/**
 * Returns the totals of a period in one snapshot. The opening balance is the present one without the entries since then:
 * exact also for calls whose end was reported late, which have a time before that of earlier entries. Costs one entry of
 * the index ledger_statement_time per line of the statement since the start of the period.
 */
export async function sumPeriod(
  tx: Tx,
  accountId: number,
  book: Book,
  { since, until }: Period,
): Promise<TotalMicros> {
  const [row] = await executePrepared(
    tx,
    prepared<TotalMicros>`
      with sums as (
        select kind, at >= coalesce(${until ?? null}::timestamptz, 'infinity') as is_after, count(*) as entries,
               sum(available_micros + held_micros) as micros
          from ledger_transactions
         where account_id = ${accountId} and book = ${book} and kind not in ('hold', 'release')
           and at >= coalesce(${since ?? null}::timestamptz, '-infinity')
         group by 1, 2)
      select (coalesce((select available_micros + held_micros from ledger_balances
                         where account_id = ${accountId} and book = ${book}), 0)
               - coalesce(sum(micros), 0))::bigint as opening,
             coalesce(sum(micros) filter (where kind = 'charge' and not is_after), 0)::bigint as charges,
             coalesce(sum(micros) filter (where kind = 'refund' and not is_after), 0)::bigint as refunds,
             coalesce(sum(micros) filter (where kind = 'chargeback' and not is_after), 0)::bigint as chargebacks,
             coalesce(sum(micros) filter (where kind = 'adjustment' and not is_after), 0)::bigint as adjustments,
             coalesce(sum(micros) filter (where kind = 'call' and not is_after), 0)::bigint as calls,
             coalesce(sum(entries) filter (where not is_after), 0)::bigint as entries
        from sums`,
  );
  if (!row) throw new Error('An aggregate without groups returns one row.');
  return row;
}

/** The calls of an extension and person, or only the totals of the ledger if there are none. */
export interface ExtensionCostRow {
  ledgerCalls: number;
  ledgerMicros: number;
  extension: string | null;
  firstName: string;
  lastName: string;
  email: string;
  calls: number;
  answered: number;
  talkSeconds: number;
  charged: number;
  priceMicros: number;
}

/** More than extensions of an account; the calls of further ones are in the rest. */
const maxRows = 10_000;

/**
 * Returns the calls that ended in a period by extension and person, those with the highest cost first, each row with
 * the number and cost of all calls in the ledger. With `userId`, the rows have the user's own calls only.
 */
export const findCostByExtension = (
  tx: Tx,
  { accountId, book, userId }: { accountId: number; book: Book; userId: number | undefined },
  { since, until }: { since: Date; until: Date },
): Promise<ExtensionCostRow[]> =>
  executePrepared(
    tx,
    prepared<ExtensionCostRow>`
      select l.calls as "ledgerCalls", l.micros as "ledgerMicros", e.extension, e.first_name as "firstName",
             e.last_name as "lastName", e.email, e.calls, e.answered, e.talk_seconds as "talkSeconds", e.charged,
             e.price_micros as "priceMicros"
        from (select count(*) as calls, coalesce(-sum(available_micros + held_micros), 0)::bigint as micros
                from ledger_transactions
               where account_id = ${accountId} and book = ${book} and kind = 'call'
                 and at >= ${since} and at < ${until}) l
        left join calls_by_extension(${accountId}, ${book}, ${since}, ${until}, ${userId ?? null}::bigint) e on true
       order by e.price_micros desc, e.calls desc, e.extension, e.email
       limit ${maxRows}`,
  );
