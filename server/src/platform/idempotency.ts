import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { eachBatch } from './batch.ts';
import { type Database, queryRows, type Tx } from './db/database.ts';
import { Refusal } from './errors.ts';
import { type Clock, secondsAfter } from './time.ts';

/** A request with an idempotency key; repeating it does not execute it twice. */
export interface KeyedRequest {
  accountId: number;
  route: string;
  key: string;
  /** The validated body; bodies with equal meaning count as the same. */
  body: unknown;
  at: Date;
}

export type Claim =
  | { state: 'fresh' }
  /** Already executed; `body` is its response. */
  | { state: 'answered'; body: unknown }
  /**
   * Started but not finished, because it failed or its process died. The repetition continues with the object it
   * created.
   */
  | { state: 'unfinished'; subjectId: string };

const keptSeconds = 24 * 3600;
/** A request that has no response after this long is assumed to have died with its process. */
const maxRequestSeconds = 30;

const answered = 200;
/** Marks a request that was started and then refused: a repetition continues where it stopped. */
const abandoned = 503;

/**
 * Claims the key in the transaction that does the work, so that a failure frees the key. The second of two concurrent
 * requests never waits for the first: it is refused, or gets the response if there already is one.
 */
export async function claimKey(tx: Tx, request: KeyedRequest): Promise<Claim> {
  const { accountId, route, key, at } = request;
  const hash = hashOf(request);
  const mine = { account_id: accountId, route, key };
  const fresh =
    (await tryLockKey(tx, request)) &&
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

  const earlier = await ofKey(tx, request).forUpdate().executeTakeFirst();
  // The first request's row is invisible until its transaction commits.
  if (!earlier) throw stillRunning();
  if (!earlier.request_hash.equals(hash)) {
    throw new Refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
  }
  if (earlier.status === answered) return { state: 'answered', body: earlier.body };
  const isOver = earlier.status === abandoned || earlier.created_at < secondsAfter(at, -maxRequestSeconds);
  if (earlier.subject_id !== null && isOver) {
    // Only one of several repetitions continues; the others see a running request.
    await update(tx, request, { status: null, created_at: at }).execute();
    return { state: 'unfinished', subjectId: earlier.subject_id };
  }
  throw stillRunning();
}

/** Retry-After in seconds; most requests take less. */
const retryAfterSeconds = 1;

export const stillRunning = (
  message = 'The first request with this Idempotency-Key is still running. Try again shortly.',
): Refusal => new Refusal('IDEMPOTENCY_CONFLICT', message, { retryAfterSeconds });

const hashOf = ({ body }: KeyedRequest): Buffer => createHash('sha256').update(JSON.stringify(body)).digest();

const lockNameOf = ({ accountId, route, key }: KeyedRequest): string =>
  `idempotency ${accountId} ${route} ${key}`;

/** Returns the fields with which a database function claims the key and stores the response in its own statement. */
export const keyFields = (request: KeyedRequest, answer: object) => ({
  route: request.route,
  key: request.key,
  key_lock: lockNameOf(request),
  key_hash: hashOf(request).toString('hex'),
  key_kept_seconds: keptSeconds,
  answer,
});

/** Takes a lock until the end of the transaction; false if another transaction is claiming this key. */
async function tryLockKey(tx: Tx, request: KeyedRequest): Promise<boolean> {
  const { rows } = await sql<{ isAlone: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${lockNameOf(request)}, 0)) as "isAlone"`.execute(tx);
  return rows[0]?.isAlone ?? false;
}

const ofKey = (tx: Tx, { accountId, route, key }: KeyedRequest) =>
  tx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('route', '=', route)
    .where('key', '=', key);

/** Records the object that the request created, before slow work starts. */
export async function noteSubject(tx: Tx, request: KeyedRequest, subjectId: string): Promise<void> {
  await update(tx, request, { subject_id: subjectId }).execute();
}

/** Stores the response for repetitions. Only successful responses are stored. */
export async function keepAnswer(tx: Tx, request: KeyedRequest, body: object): Promise<void> {
  await update(tx, request, { status: answered, body: JSON.stringify(body) }).execute();
}

/** Allows an immediate retry of a failed request, unless a repetition is already running. */
export async function allowRepetition(tx: Tx, request: KeyedRequest): Promise<void> {
  await update(tx, request, { status: abandoned })
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

export async function sweepIdempotencyKeys(
  deps: { db: Database; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const createdBefore = secondsAfter(deps.clock.now(), -keptSeconds);
  const query = sql<{
    removed: number;
  }>`select sweep_idempotency_keys(${createdBefore}, ${batch}) as removed`;
  const sweep = async () => (await queryRows(deps.db, query))[0]?.removed ?? 0;
  await eachBatch(batch, sweep, signal);
}
