import { eachBatch } from '../../../platform/batch.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { Clock } from '../../../platform/time.ts';
import { type Difference, listAccountIds, saveAudit } from './audit.store.ts';
import { type AuditedBook, auditNewEntries, auditWholeBook, nothingVerified } from './audit-book.ts';
import { findBooks, findCheckpoint } from './checkpoint.store.ts';

export type { Difference };

interface AuditDeps {
  db: Database;
  clock: Clock;
}
interface Audit {
  now: Date;
  signal?: AbortSignal | undefined;
}

const accountsPerPage = 1_000;
/** The audit stops after this many differences. */
const maxDifferences = 1_000;

/** Recomputes all balances from all entries and returns every difference; empty if the ledger is consistent. */
export const auditLedger = (deps: AuditDeps, signal?: AbortSignal): Promise<Difference[]> =>
  eachAccount(deps, signal, (tx, accountId) =>
    auditAccount(tx, accountId, { now: deps.clock.now(), signal }),
  );

/** Verifies what is new since the last audit and a part of the rest; saves the result for monitoring and logs it. */
export async function reportAudit(deps: AuditDeps & { log: Logger }, signal: AbortSignal): Promise<void> {
  const differences = await eachAccount(deps, signal, (tx, accountId) =>
    auditAccountSince(tx, accountId, { now: deps.clock.now(), signal }),
  );
  if (differences.length === 0) deps.log.info('ledger audit clean');
  for (const difference of differences) deps.log.error({ difference }, 'ledger audit found a difference');
  // Saved last, so that differences are logged even if saving fails.
  await saveAudit(deps.db, deps.clock.now(), differences.length);
}

/** Verifies every row of one account. */
export const auditAccount = (tx: Tx, accountId: number, audit: Audit): Promise<Difference[]> =>
  eachBook(tx, accountId, audit, (book) => auditWholeBook(tx, book));

/** Verifies what is new in one account, and a part of the rest. Without a checkpoint, every row is new. */
export const auditAccountSince = (tx: Tx, accountId: number, audit: Audit): Promise<Difference[]> =>
  eachBook(tx, accountId, audit, async (book) => {
    return await auditNewEntries(tx, book, (await findCheckpoint(tx, book)) ?? nothingVerified);
  });

async function eachBook(
  tx: Tx,
  accountId: number,
  { now, signal }: Audit,
  audit: (book: AuditedBook) => Promise<Omit<Difference, 'accountId'>[]>,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const { book, since } of await findBooks(tx, accountId)) {
    const found = await audit({ accountId, book, since, now, signal });
    // A call or charge is found by each of its entries and by the time of its creation.
    const distinct = new Map(found.map((each) => [`${each.check} ${each.subject}`, each]));
    for (const each of distinct.values()) differences.push({ accountId, ...each });
  }
  return differences;
}

async function eachAccount(
  { db }: AuditDeps,
  signal: AbortSignal | undefined,
  audit: (tx: Tx, accountId: number) => Promise<Difference[]>,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  let lastId = 0;
  await eachBatch(accountsPerPage, async () => {
    const ids = await listAccountIds(db, lastId, accountsPerPage);
    for (const id of ids) {
      signal?.throwIfAborted();
      lastId = id;
      differences.push(...(await inAccount(db, id, (tx) => audit(tx, id))));
      if (differences.length >= maxDifferences) return 0;
    }
    return ids.length;
  });
  signal?.throwIfAborted();
  return differences.slice(0, maxDifferences);
}
