import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { type Fault, invalid, Refusal } from '../../../platform/errors.ts';
import { claimKey, type KeyedRequest, stillRunning } from '../../../platform/idempotency.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { readPhone } from '../../../platform/phone.ts';
import type { Clock } from '../../../platform/time.ts';
import type { LowBalanceDeps } from '../../billing/index.ts';
import type { Lease, WakeVoice } from '../call.ts';
import type { CallObserver } from '../observer.ts';
import { acceptOutbound, numberFault } from './accept-outbound.ts';

export interface PlaceCallDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
  wakeVoice: WakeVoice;
  /** Returns the node for a new call, under its current lease; undefined if any node may claim the call. */
  chooseNode(): Lease | undefined;
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
 * Accepts a call: one statement writes idempotency key, hold, record and event. Refusals are checked in the documented
 * order: invalid request, known key, unknown extension, not allowed, no credit, not registered, no capacity.
 */
export async function placeCall(
  deps: PlaceCallDeps,
  caller: Caller,
  request: CallRequest,
  placement: Placement,
): Promise<PlacedCall> {
  const faults = faultsOfNumbers(request);
  if (faults.length > 0) throw invalid(...faults);
  try {
    return await place(deps, caller, request, placement);
  } catch (error) {
    if (error instanceof Refusal) deps.observer.callRefused('api', error.code);
    throw error;
  }
}

async function place(
  deps: PlaceCallDeps,
  caller: Caller,
  request: CallRequest,
  { route, withDialerId, key }: Placement,
): Promise<PlacedCall> {
  const { accountId } = caller;
  const at = deps.clock.now();
  const callId = uuidv7(at);
  const id = withDialerId ? randomUUID() : callId;
  const chosen = deps.chooseNode();
  const keyed = key === undefined ? undefined : { accountId, route, key, body: request, at };
  const placed = await acceptOutbound(deps, {
    id: callId,
    accountId,
    at,
    kind: 'click',
    ramal: request.extension,
    destination: readPhone(request.called),
    calledField: request.calledField,
    requestedCaller: request.caller,
    requestedBy: caller.userId,
    mustOwn: caller.role !== 'ADMIN',
    metadata: request.metadata,
    chosen,
    ...(keyed ? { keyed: { request: keyed, answer: { id } } } : {}),
    ...(withDialerId ? { dialerId: id } : {}),
  });
  if (placed === 'key' && keyed) return { id: await earlierId(deps.db, keyed), replayed: true };
  deps.wakeVoice('call', chosen?.node);
  return { id, callId, replayed: false };
}

/** Returns the id that the first request with the key got. Refuses if it has another body or is still running. */
async function earlierId(db: Database, keyed: KeyedRequest): Promise<string> {
  return await inAccount(db, keyed.accountId, async (tx) => {
    const claim = await claimKey(tx, keyed);
    // The first request was refused in the meantime.
    if (claim.state !== 'answered') throw stillRunning();
    return (claim.body as { id: string }).id;
  });
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
