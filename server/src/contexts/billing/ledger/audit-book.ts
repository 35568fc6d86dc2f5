import { eachBatch } from '../../../platform/batch.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { secondsAfter } from '../../../platform/time.ts';
import {
  auditCalls,
  auditCharges,
  auditChargesOf,
  auditEntries,
  type BookKey,
  type Difference,
  listHeldCalls,
  type Position,
  type Times,
} from './audit.store.ts';
import { type Checkpoint, saveCheckpoint } from './checkpoint.store.ts';

type Found = Omit<Difference, 'accountId'>;

/** Every row is verified again within this many daily audits. */
export const rotationDays = 90;
/** Rows that one statement reads. */
const pageSize = 5_000;
/** Calls and charges created up to this long before the last audit are verified again, because they may still change. */
const overlapSeconds = 86_400;
const beginning: Position = { number: 0, availableMicros: 0, heldMicros: 0 };

/** The checkpoint of a book that was never audited. */
export const nothingVerified: Checkpoint = {
  verified: beginning,
  auditedAt: null,
  rotated: beginning,
  rotatedUntil: null,
};

export interface AuditedBook extends BookKey {
  /** When the account was created; the rotation of calls and charges begins here. */
  since: Date;
  now: Date;
  signal: AbortSignal | undefined;
}

/** Verifies every row of a book. A clean result replaces the checkpoint, also one that was damaged. */
export async function auditWholeBook(tx: Tx, book: AuditedBook): Promise<Found[]> {
  const entries = await walkEntries(tx, book, beginning, null);
  const differences = [
    ...entries.differences,
    ...(await auditTimes(tx, book, { since: null, before: null })),
  ];
  book.signal?.throwIfAborted();
  if (differences.length === 0)
    await saveCheckpoint(tx, book, { ...nothingVerified, verified: entries.position, auditedAt: book.now });
  return differences;
}

/**
 * Verifies the rows since the checkpoint and the next part of the rotation through the older ones. The checkpoint only
 * moves over rows without differences, so a difference is reported every day until it is repaired.
 */
export async function auditNewEntries(tx: Tx, book: AuditedBook, last: Checkpoint): Promise<Found[]> {
  const since = last.auditedAt && secondsAfter(last.auditedAt, -overlapSeconds);
  const entries = await walkEntries(tx, book, last.verified, null);
  const subjects = await auditTimes(tx, book, { since, before: null });
  const rotation = await rotate(tx, book, last);
  const isAudited = subjects.length === 0 && entries.differences.length === 0 && !book.signal?.aborted;
  await saveCheckpoint(tx, book, {
    ...rotation.next,
    verified: entries.differences.length === 0 ? entries.position : last.verified,
    auditedAt: isAudited ? book.now : last.auditedAt,
  });
  return [...entries.differences, ...subjects, ...rotation.differences];
}

/** Verifies the next part of the verified rows again. The sums at its end must be those of the checkpoint. */
async function rotate(
  tx: Tx,
  book: AuditedBook,
  last: Checkpoint,
): Promise<{ next: Pick<Checkpoint, 'rotated' | 'rotatedUntil'>; differences: Found[] }> {
  const { verified } = last;
  const until = Math.min(last.rotated.number + Math.ceil(verified.number / rotationDays), verified.number);
  const { position, differences } = await walkEntries(tx, book, last.rotated, until);
  const isEnd = position.number === verified.number;
  const sums = isEnd ? compareSums(book, verified, position) : [];
  const entriesFound = [...differences, ...sums];

  const times = nextTimes(book, last.rotatedUntil);
  const subjectsFound = await auditTimes(tx, book, times);
  return {
    next: {
      rotated: entriesFound.length > 0 ? last.rotated : isEnd ? beginning : position,
      rotatedUntil: subjectsFound.length > 0 || book.signal?.aborted ? last.rotatedUntil : times.before,
    },
    differences: [...entriesFound, ...subjectsFound],
  };
}

function nextTimes({ since, now }: AuditedBook, after: Date | null): Times {
  const partSeconds = (now.getTime() - since.getTime()) / 1_000 / rotationDays;
  const before = secondsAfter(after ?? since, partSeconds);
  return { since: after, before: before < now ? before : null };
}

const compareSums = ({ book }: BookKey, expected: Position, found: Position): Found[] =>
  [
    { check: 'verified available balance', expected: expected.availableMicros, found: found.availableMicros },
    { check: 'verified held balance', expected: expected.heldMicros, found: found.heldMicros },
  ].flatMap((each) => (each.expected === each.found ? [] : [{ subject: book, ...each }]));

async function walkEntries(
  tx: Tx,
  book: AuditedBook,
  start: Position,
  until: number | null,
): Promise<{ position: Position; differences: Found[] }> {
  const differences: Found[] = [];
  let position = start;
  await eachBatch(
    pageSize,
    async () => {
      const page = await auditEntries(tx, book, position, until, pageSize);
      differences.push(
        ...page.differences,
        ...(await auditCalls(tx, book.accountId, page.calls)),
        ...(await auditCharges(tx, book.accountId, page.charges)),
      );
      position = page.position;
      return page.entries;
    },
    book.signal,
  );
  return { position, differences };
}

/** Verifies the calls and charges created in a range of time, with or without ledger entries. */
async function auditTimes(tx: Tx, book: AuditedBook, times: Times): Promise<Found[]> {
  const differences = await auditChargesOf(tx, book.accountId, times);
  let after: string | null = null;
  await eachBatch(
    pageSize,
    async () => {
      const calls = await listHeldCalls(tx, book, times, after, pageSize);
      differences.push(...(await auditCalls(tx, book.accountId, calls)));
      after = calls.at(-1) ?? null;
      return calls.length;
    },
    book.signal,
  );
  return differences;
}
