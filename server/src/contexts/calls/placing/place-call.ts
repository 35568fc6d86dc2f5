import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../platform/caller.ts';
import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { type Fault, notFound, Refusal } from '../../../platform/errors.ts';
import { claimKey, type KeyedRequest, keepAnswer } from '../../../platform/idempotency.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import type { Clock } from '../../../platform/time.ts';
import { findFundingInputs, type LowBalanceDeps } from '../../billing/index.ts';
import { findCallingExtension } from '../../extensions/index.ts';
import { insertDialerId } from '../call.store.ts';
import { findCaps } from '../limits/caps.store.ts';
import type { CallObserver } from '../observer.ts';
import { acceptOutbound, faultOfNumber, invalidNumber } from './accept-outbound.ts';
import { type Destination, readDestination } from './destination.rules.ts';

export interface PlaceCallDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
  /** Wakes call control. Optional: it also polls. */
  wakeVoice(): void;
  observer: CallObserver;
}

export interface CallRequest {
  /** The request field with the destination, named in validation errors. */
  calledField: 'called' | 'phone';
  called: string;
  extension: string;
  caller?: string | undefined;
  metadata: Record<string, unknown>;
}

export interface Placement {
  route: 'POST /calls' | 'POST /dialer';
  /** `POST /dialer` returns a separate kind of id. */
  withDialerId: boolean;
  key: string | undefined;
}

export interface PlacedCall {
  /** The call's id or, for the dialer, the id it returns. */
  id: string;
  /** The call's id, if this request placed it. */
  callId?: string;
  replayed: boolean;
}

/**
 * Accepts a call: idempotency key, hold, record and event in one transaction. Refuses in the documented order:
 * invalid, known key, unknown extension, not allowed, no credit, not registered, no capacity.
 */
export async function placeCall(
  deps: PlaceCallDeps,
  caller: Caller,
  request: CallRequest,
  { route, withDialerId, key }: Placement,
): Promise<PlacedCall> {
  const { accountId } = caller;
  const destination = readDestination(request.called);
  if (destination.kind === 'invalid') throw invalidNumber(request.calledField);
  const at = deps.clock.now();
  const keyed = key === undefined ? undefined : { accountId, route, key, body: request, at };
  const place = async (tx: Tx): Promise<PlacedCall> => {
    const earlierId = keyed && (await answeredBefore(tx, keyed));
    if (earlierId !== undefined) return { id: earlierId, replayed: true };
    const callId = await accept(tx, deps, caller, request, destination, at);
    const id = withDialerId ? randomUUID() : callId;
    if (withDialerId) await insertDialerId(tx, accountId, id, callId, at);
    if (keyed) await keepAnswer(tx, keyed, { id });
    return { id, callId, replayed: false };
  };
  const placed = await inAccount(deps.db, accountId, place).catch((error: unknown) => {
    if (error instanceof Refusal) deps.observer.callRefused('api', error.code);
    throw error;
  });
  if (!placed.replayed) deps.wakeVoice();
  return placed;
}

/** Returns the faults of a destination that its form does not show. */
export const faultsOfDestination = (
  field: CallRequest['calledField'],
  called: string | undefined,
): Fault[] =>
  called !== undefined && readDestination(called).kind === 'invalid' ? [faultOfNumber(field)] : [];

async function answeredBefore(tx: Tx, keyed: KeyedRequest): Promise<string | undefined> {
  const claim = await claimKey(tx, keyed);
  return claim.state === 'answered' ? (claim.body as { id: string }).id : undefined;
}

async function accept(
  tx: Tx,
  deps: PlaceCallDeps,
  caller: Caller,
  request: CallRequest,
  destination: Destination,
  at: Date,
): Promise<string> {
  const { accountId } = caller;
  const id = uuidv7(at);
  const digits = destination.kind === 'number' ? destination.digits : '';
  // Queries are pipelined; refusals are evaluated in the documented order.
  const [extension, caps, fundingInputs] = await awaitPipelined(
    findCallingExtension(tx, accountId, request.extension, at),
    findCaps(tx, accountId),
    findFundingInputs(tx, { accountId, destination: digits, at }),
  );
  if (!extension) throw notFound();
  const isOwn = extension.userId === caller.userId;
  if (caller.role !== 'ADMIN' && !isOwn) {
    throw new Refusal('ACCESS_DENIED', 'This extension belongs to another user.');
  }
  await acceptOutbound(tx, deps, {
    id,
    at,
    kind: 'click',
    extension,
    destination,
    calledField: request.calledField,
    requestedCaller: request.caller,
    caps,
    fundingInputs,
    autoAnswer: isOwn || extension.autoAnswer,
    requestedBy: caller.userId,
    metadata: request.metadata,
  });
  return id;
}
