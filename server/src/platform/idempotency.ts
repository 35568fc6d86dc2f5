import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, inTransaction, type Tx } from './db/database.ts';
import { Refusal } from './errors.ts';
import { type Clock, secondsAfter } from './time.ts';

/** A request that names itself by a key, so that it can be sent again without being done again. */
export interface KeyedRequest {
  accountId: number;
  route: string;
  key: string;
  /** What was asked, after validation: the same meaning counts as the same body. */
  body: unknown;
  at: Date;
}

export type Claim =
  | { state: 'fresh' }
  /** Done before: this was the answer. */
  | { state: 'answered'; body: unknown }
  /** Begun before and not finished, because it failed or its process died: go on with what it made. */
  | { state: 'unfinished'; subjectId: string };

const keptSeconds = 24 * 3600;
/** A request still unanswered after this long is taken to have died with its process. */
const longestRequestSeconds = 30;

const answered = 200;
/** Stands for a request that was begun and refused: its repetition goes on where it stopped. */
const givenUp = 503;

/**
 * Claims the key in the transaction that does the work: if that fails, the key is free again. Of two requests that come
 * together the second is refused, or gets the answer if there is one by now; it never waits for the first.
 */
export async function claimKey(tx: Tx, request: KeyedRequest): Promise<Claim> {
  const { accountId, route, key, at } = request;
  const hash = createHash('sha256').update(JSON.stringify(request.body)).digest();
  const mine = { account_id: accountId, route, key };
  const fresh =
    (await isAlone(tx, request)) &&
    (await tx
      .insertInto('idempotency_keys')
      .values({ ...mine, request_hash: hash, created_at: at })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'route', 'key'])
          .doUpdateSet({ request_hash: hash, subject_id: null, status: null, body: null, created_at: at })
          .where('idempotency_keys.created_at', '<', secondsAfter(at, -keptSeconds)),
      )
      .returning('key')
      .executeTakeFirst());
  if (fresh) return { state: 'fresh' };

  const known = await ofKey(tx, request).forUpdate().executeTakeFirst();
  // Its row is not to be seen before its transaction ends.
  if (!known) throw stillRunning();
  if (!known.request_hash.equals(hash)) {
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
  }
  if (known.status === answered) return { state: 'answered', body: known.body };
  const isOver = known.status === givenUp || known.created_at < secondsAfter(at, -longestRequestSeconds);
  if (known.subject_id !== null && isOver) {
    // Of several repetitions one goes on; to the others it is the request that runs.
    await update(tx, request, { status: null, created_at: at }).execute();
    return { state: 'unfinished', subjectId: known.subject_id };
  }
  throw stillRunning();
}

const stillRunning = () =>
  new Refusal('IDEMPOTENCY_CONFLICT', 'The first request with this Idempotency-Key is still running.');

/** Whether no other transaction claims this key at the moment; none will until this one ends. */
async function isAlone(tx: Tx, { accountId, route, key }: KeyedRequest): Promise<boolean> {
  const name = `idempotency ${accountId} ${route} ${key}`;
  const { rows } = await sql<{ isAlone: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "isAlone"`.execute(tx);
  return rows[0]?.isAlone ?? false;
}

const ofKey = (tx: Tx, { accountId, route, key }: KeyedRequest) =>
  tx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('route', '=', route)
    .where('key', '=', key);

/** Notes what the request has made, before it does what may take long. */
export async function noteSubject(tx: Tx, request: KeyedRequest, subjectId: string): Promise<void> {
  await update(tx, request, { subject_id: subjectId }).execute();
}

/** Keeps the answer for whoever asks again. Only success is kept. */
export async function keepAnswer(tx: Tx, request: KeyedRequest, body: object): Promise<void> {
  await update(tx, request, { status: answered, body: JSON.stringify(body) }).execute();
}

/** The request failed: whoever repeats it need not wait, unless somebody is at it already. */
export async function allowRepetition(tx: Tx, request: KeyedRequest): Promise<void> {
  await update(tx, request, { status: givenUp })
    .where('status', 'is', null)
    .where('created_at', '=', request.at)
    .execute();
}

const update = (
  tx: Tx,
  { accountId, route, key }: KeyedRequest,
  values: { subject_id?: string; status?: number | null; body?: string; created_at?: Date },
) =>
  tx
    .updateTable('idempotency_keys')
    .set(values)
    .where('account_id', '=', accountId)
    .where('route', '=', route)
    .where('key', '=', key);

const batch = 1_000;

/** Answers are kept for a day. */
export async function sweepIdempotencyKeys(
  deps: { db: Database; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const createdBefore = secondsAfter(deps.clock.now(), -keptSeconds);
  for (let removed = batch; removed === batch && !signal.aborted; ) {
    removed = await inTransaction(deps.db, async (tx) => {
      const { rows } = await sql<{ removed: number }>`
        select sweep_idempotency_keys(${createdBefore}, ${batch}) as removed`.execute(tx);
      return rows[0]?.removed ?? 0;
    });
  }
}
