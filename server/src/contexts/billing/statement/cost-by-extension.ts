import { type Database, inAccount } from '../../../platform/db/database.ts';
import { findTimeZone } from '../../../platform/filter/index.ts';
import { reaisFromMicros } from '../../../platform/money.ts';
import { type Clock, dayIn, startOfDay } from '../../../platform/time.ts';
import { callsSeenBy, type Viewer } from '../../../platform/visibility.ts';
import { findBook } from '../ledger/ledger.store.ts';
import { type ExtensionCostRow, findCostByExtension } from './statement-totals.store.ts';

/** Calls and cost of an extension and person in a month. */
export interface ExtensionCost {
  extension: string;
  name: string;
  email: string;
  calls: number;
  answered: number;
  talkSeconds: number;
  amount: number;
}

/**
 * Returns what the calls that ended in a month of the account's time zone cost, by extension and person. The total is
 * that of the ledger. Its calls without details, those after their retention and those that the viewer does not see, are
 * in `otherCalls`.
 */
export async function costByExtension(
  deps: { db: Database; clock: Clock },
  viewer: Viewer,
  askedMonth: string | undefined,
) {
  const { accountId } = viewer;
  return await inAccount(deps.db, accountId, async (tx) => {
    const timezone = await findTimeZone(tx, accountId);
    const month = askedMonth ?? dayIn(deps.clock.now(), timezone).slice(0, 7);
    const period = {
      since: startOfDay(`${month}-01`, timezone),
      until: startOfDay(`${nextMonth(month)}-01`, timezone),
    };
    const book = await findBook(tx, accountId);
    const found = await findCostByExtension(tx, { accountId, book, userId: callsSeenBy(viewer) }, period);
    return {
      month,
      timezone,
      since: period.since.toISOString(),
      until: period.until.toISOString(),
      ...presentCosts(found),
    };
  });
}

function presentCosts(found: ExtensionCostRow[]) {
  const rows = found.filter(({ extension }) => extension !== null);
  const sum = (of: (row: ExtensionCostRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const { ledgerCalls = 0, ledgerMicros = 0 } = found[0] ?? {};
  const otherCalls = ledgerCalls - sum(({ charged }) => charged);
  return {
    data: rows.map(presentCost),
    otherCalls: {
      calls: otherCalls,
      amount: reaisFromMicros(ledgerMicros - sum(({ priceMicros }) => priceMicros)),
    },
    total: {
      calls: sum(({ calls }) => calls) + otherCalls,
      answered: sum(({ answered }) => answered) + otherCalls,
      talkSeconds: sum(({ talkSeconds }) => talkSeconds),
      amount: reaisFromMicros(ledgerMicros),
    },
  };
}

const presentCost = (row: ExtensionCostRow): ExtensionCost => ({
  extension: row.extension ?? '',
  name: `${row.firstName} ${row.lastName}`.trim(),
  email: row.email,
  calls: row.calls,
  answered: row.answered,
  talkSeconds: row.talkSeconds,
  amount: reaisFromMicros(row.priceMicros),
});

/** Returns the month after a month, both as YYYY-MM. */
function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}
