import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../platform/caller.ts';
import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { type Fault, invalid, notFound, Refusal } from '../../../platform/errors.ts';
import { claimKey, type KeyedRequest, keepAnswer } from '../../../platform/idempotency.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { type PhoneReading, readPhone } from '../../../platform/phone.ts';
import type { Clock } from '../../../platform/time.ts';
import { findFundingInputs, type LowBalanceDeps } from '../../billing/index.ts';
import { findCallingExtension } from '../../extensions/index.ts';
import { insertDialerId } from '../call.store.ts';
import { findCaps } from '../limits/caps.store.ts';
import type { CallObserver } from '../observer.ts';
import { acceptOutbound, numberFault } from './accept-outbound.ts';

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
  /** True for `POST /dialer`, which returns a separate kind of id. */
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
 * Accepts a call: writes idempotency key, hold, record and event in one transaction. Refusals are checked in the
 * documented order: invalid request, known key, unknown extension, not allowed, no credit, not registered, no capacity.
 */
export async function placeCall(
  deps: PlaceCallDeps,
  caller: Caller,
  request: CallRequest,
  { route, withDialerId, key }: Placement,
): Promise<PlacedCall> {
  const { accountId } = caller;
  const faults = faultsOfNumbers(request);
  if (faults.length > 0) throw invalid(...faults);
  const destination = readPhone(request.called);
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

/**
 * Returns faults of the call's numbers that the schema cannot detect. A caller ID that is not a phone number is refused
 * later, because the account does not own it.
 */
export function faultsOfNumbers({
  calledField,
  called,
  caller = '',
}: Pick<CallRequest, 'calledField' | 'caller'> & { called: string | undefined }): Fault[] {
  const destination = called === undefined ? undefined : readPhone(called);
  const callerId = readPhone(caller);
  return [
    ...(destination?.kind === 'invalid' || destination?.kind === 'ambiguous'
      ? [numberFault(calledField, destination)]
      : []),
    ...(callerId.kind === 'ambiguous' ? [numberFault('caller', callerId)] : []),
  ];
}

async function answeredBefore(tx: Tx, keyed: KeyedRequest): Promise<string | undefined> {
  const claim = await claimKey(tx, keyed);
  return claim.state === 'answered' ? (claim.body as { id: string }).id : undefined;
}

async function accept(
  tx: Tx,
  deps: PlaceCallDeps,
  caller: Caller,
  request: CallRequest,
  destination: PhoneReading,
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
