import { type Database, inTransaction, type Tx } from '../../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../../platform/time.ts';
import { fillContacts } from '../contacts/contact.store.ts';
import { contactsOfCalls } from '../contacts/parties-of-calls.rules.ts';
import {
  advance,
  findUnindexed,
  type Pass,
  removeWords,
  type UnindexedCall,
  type WordRow,
  writeWords,
} from './indexing.store.ts';
import { wordsOf } from './words.rules.ts';

/** Calls per transaction, about 10,000 words. */
const callsPerStep = 1_000;
/** A call is committed well within this time of its id; a later one is added by the pass `all`. */
const overlapSeconds = 15;
const allBehindSeconds = 3_600;
/** Steps of the pass `all` per run: new calls are indexed before the next ones. */
const stepsPerRun = 10;

/**
 * Writes the words of new calls, then of calls that have none yet. Each step is one transaction with its position, so an
 * interrupted run continues where it was.
 */
export async function indexCalls(deps: { db: Database; clock: Clock }, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now();
  await runPass(deps.db, { name: 'new', before: now, overlapSeconds }, stepsPerRun, signal);
  const before = secondsAfter(now, -allBehindSeconds);
  await runPass(deps.db, { name: 'all', before, overlapSeconds: 0 }, stepsPerRun, signal);
}

async function runPass(db: Database, pass: Pass, steps: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < steps && !signal.aborted; step += 1) {
    if (!(await inTransaction(db, (tx) => indexNext(tx, pass)))) return;
  }
}

/** Indexes the next calls and fills contacts from their metadata; returns whether more follow. */
async function indexNext(tx: Tx, pass: Pass): Promise<boolean> {
  const range = await advance(tx, pass, callsPerStep);
  if (!range) return false;
  const calls = await findUnindexed(tx, range.firstId, range.endId);
  for (let done = 0; done < calls.length; done += callsPerStep) {
    const step = calls.slice(done, done + callsPerStep);
    await writeWords(tx, step.flatMap(rowsOf));
    await fillContacts(tx, contactsOfCalls(step));
  }
  return range.isMore;
}

/** Replaces the words of calls that were changed. The indexing is held by the caller. */
export async function indexAgain(tx: Tx, accountId: number, ids: string[]): Promise<void> {
  const calls = await removeWords(tx, accountId, ids);
  await writeWords(tx, calls.flatMap(rowsOf));
}

const rowsOf = (call: UnindexedCall): WordRow[] =>
  wordsOf(call).map((word) => ({ accountId: call.account_id, word, id: call.id }));
