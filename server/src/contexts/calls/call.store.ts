import type { Database, Tx } from '../../platform/db/database.ts';
import { executePrepared, prepared, queryPrepared } from '../../platform/db/prepared.ts';
import { violatedConstraint } from '../../platform/db/unavailable.ts';
import { Refusal } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import type { Book } from '../billing/index.ts';
import type { CallState } from './call.rules.ts';
import type { CallKind, CallOrder, Lease, LiveCall } from './call.ts';

export interface NewCall {
  id: string;
  accountId: number;
  book: Book;
  kind: LiveCall['kind'];
  at: Date;
  order: CallOrder;
  extensionId: number | null;
  userId: number | null;
  requestedBy: number | null;
  email: string;
  firstName: string;
  lastName: string;
  bina: string | null;
  metadata: Record<string, unknown>;
  fundedSeconds: number;
  /** Set if the leg already exists on a node; the call is then written as claimed. */
  claim?: Lease;
}

const typeOf: Record<CallKind, 'outbound' | 'internal' | 'inbound'> = {
  click: 'outbound',
  code: 'outbound',
  dialled: 'outbound',
  internal: 'internal',
  inbound: 'inbound',
};

/** Writes the record, the live call, its metadata and its first event. Refuses a call that another node holds. */
export async function writeCall(tx: Tx, call: NewCall): Promise<void> {
  const row = {
    ...eventFields(call.id, call.at),
    kind: call.kind,
    book: call.book,
    call_type: typeOf[call.kind],
    order: call.order,
    extension_id: call.extensionId,
    user_id: call.userId,
    requested_by: call.requestedBy,
    email: call.email,
    first_name: call.firstName,
    last_name: call.lastName,
    bina: call.bina,
    metadata: call.metadata,
    funded_seconds: call.fundedSeconds,
    node: call.claim?.node,
  };
  const query = prepared`select write_call(${call.accountId}, ${JSON.stringify(row)})`;
  await executePrepared(tx, query).catch(refuseDuplicate);
}

/** Returns the fields of a new call that its first event and its timeline consist of. */
export const eventFields = (id: string, at: Date) => ({
  id,
  at,
  event_id: uuidv7(at),
  moments: [moment(at, 'queued')],
});

export function refuseDuplicate(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === 'live_calls_sip')
    throw new Refusal('SERVICE_UNAVAILABLE', 'Another media node holds this call.');
  // The statement was repeated after its connection was lost, and its first execution had been committed.
  if (constraint?.endsWith('_pkey') === true)
    throw new Refusal('SERVICE_UNAVAILABLE', 'The call may have been placed. Check before you try again.', {
      retryAfterSeconds: 2,
    });
  throw error;
}

/** Returns the new call in the form that call control uses. */
export const liveCallOf = (
  call: Pick<NewCall, 'id' | 'accountId' | 'book' | 'kind' | 'at' | 'order' | 'fundedSeconds'> & {
    claim?: Lease | undefined;
  },
): LiveCall => ({
  callId: call.id,
  accountId: call.accountId,
  book: call.book,
  kind: call.kind,
  state: 'queued',
  requestedAt: call.at,
  order: call.order,
  node: call.claim?.node ?? null,
  claimedAt: call.claim ? call.at : null,
  fundedSeconds: call.fundedSeconds,
  answeredOnNode: null,
  answeredAt: null,
  renewAt: null,
  hangupAskedAt: null,
  engineLostAt: null,
  hasLegs: false,
});

export const moment = (at: Date, what: string, more: object = {}) => ({
  at: at.toISOString(),
  what,
  ...more,
});

export interface Move {
  callId: string;
  from: CallState[];
  /** The states passed through, with their times, ending with the final one. */
  passes: { state: CallState; at: Date }[];
  to: CallState;
  at: Date;
  /** Event to publish, if any. */
  event: string | null;
  answeredOnNode?: number;
  renewAt?: Date;
}

/**
 * Advances calls, each through its moves in order, and returns which ones changed. Calls already in the state and ended
 * calls are skipped; if the lease is no longer held, all are.
 */
export async function moveCalls(db: Database, lease: Lease, movesOfCalls: Move[][]): Promise<boolean[]> {
  const rows = movesOfCalls.flatMap((moves) => moves.map(rowOf));
  const query = prepared<{ callId: string }>`
    select call_id as "callId" from move_calls(${lease.node}, ${lease.epoch}, ${JSON.stringify(rows)}) as call_id`;
  const moved = new Set((await queryPrepared(db, query)).map(({ callId }) => callId));
  return movesOfCalls.map((moves) => moves.some(({ callId }) => moved.has(callId)));
}

const rowOf = (move: Move, step: number) => ({
  call_id: move.callId,
  step,
  earlier: move.from,
  state: move.to,
  at: move.at,
  moments: move.passes.map(({ state, at }) => moment(at, state)),
  event: move.event,
  event_id: uuidv7(move.at),
  answered_on_node: move.answeredOnNode,
  answered_at: move.to === 'answered' ? move.at : undefined,
  renew_at: move.renewAt,
});

export interface NamedCall {
  callId: string;
  callType: 'outbound' | 'inbound' | 'internal';
  /** The destination; of an internal call, the called extension. */
  to: string;
  isEnded: boolean;
  /** The user of the extension; for an internal call, of the calling one. */
  extensionUser: number | null;
  /** The extension's user and the user who requested the call. */
  belongsTo: (number | null)[];
}

/** Finds a call by its id or by the id that `POST /dialer` returned. */
export async function findCallId(tx: Tx, accountId: number, id: string): Promise<NamedCall | undefined> {
  const query = prepared<NamedCall>`
    select c.id as "callId", c.call_type as "callType", c."to", c.user_id as "extensionUser", c.status = 'ended' as "isEnded", json_build_array(c.user_id, c.requested_by) as "belongsTo"
      from calls c
     where c.account_id = ${accountId} and c.id = coalesce(
       (select d.call_id from dialer_calls d where d.account_id = ${accountId} and d.id = ${id}), ${id})`;
  const [row] = await executePrepared(tx, query);
  return row;
}

export async function findDomain(tx: Tx, accountId: number): Promise<string> {
  const { domain } = await tx
    .selectFrom('account_info')
    .select('domain')
    .where('id', '=', accountId)
    .$narrowType<{ domain: string }>()
    .executeTakeFirstOrThrow();
  return domain;
}
