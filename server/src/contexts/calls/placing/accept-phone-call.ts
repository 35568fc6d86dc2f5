import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import { inAccount } from '../../../platform/db/database.ts';
import { notFound, Refusal } from '../../../platform/errors.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { phoneDigits, readPhone } from '../../../platform/phone.ts';
import { findCallingExtension } from '../../extensions/index.ts';
import type { Lease, LiveCall } from '../call.ts';
import { findCaps } from '../limits/caps.store.ts';
import { acceptOutbound } from './accept-outbound.ts';
import { findAccountOfPhone } from './incoming-leg.store.ts';
import { type IncomingCallDeps, type IncomingLeg, reachable, writeFreeCall } from './place-free-call.ts';
import { refusalBy, refuseTestAccount } from './refuse-incoming-leg.ts';

/** A call dialled on a softphone, reported by the node that has its leg. */
interface PhoneCall {
  leg: string;
  sip: string;
  called: string;
  /** The calling extension, authenticated by the edge, and the address of that edge. */
  ramal: string;
  domain: string;
  passedOnBy: string;
  isForLiveOnly: boolean;
}

/** Writes the call as claimed by its node; the engine gets the decision after commit. */
export async function acceptPhoneCall(
  deps: IncomingCallDeps,
  lease: Lease,
  call: PhoneCall,
): Promise<LiveCall> {
  const accountId = await findAccountOfPhone(deps.db, lease, call);
  if (accountId === undefined) {
    throw await refusalBy(
      deps,
      lease,
      new Refusal('ACCESS_DENIED', 'This account is not allowed to place calls.'),
    );
  }
  if (call.isForLiveOnly) await refuseTestAccount(deps, accountId);
  const incoming = { leg: call.leg, sip: call.sip, lease, at: deps.clock.now() };
  return await acceptDialled(deps, accountId, call, incoming);
}

/** Tries an extension of the account first; anything else is an external number, authorised like API calls. */
async function acceptDialled(
  deps: IncomingCallDeps,
  accountId: number,
  { ramal, called }: PhoneCall,
  incoming: IncomingLeg,
): Promise<LiveCall> {
  const { at } = incoming;
  const id = uuidv7(at);
  const destination = readPhone(called);
  const callee = phoneDigits(called) ?? '';
  try {
    const placed = await acceptOutbound(deps, {
      id,
      accountId,
      at,
      kind: 'dialled',
      ramal,
      callee,
      destination,
      calledField: 'called',
      requestedCaller: undefined,
      requestedBy: null,
      mustOwn: false,
      metadata: {},
      incoming,
    });
    if (typeof placed === 'object') return placed;
  } catch (error) {
    const isMissing = destination.kind !== 'number' && missingExtension.test(callee);
    throw isMissing && isRefusedDestination(error) ? notFound() : error;
  }
  return await acceptInternal(deps, { id, accountId, ramal, callee, incoming });
}

const isRefusedDestination = (error: unknown): boolean =>
  error instanceof Refusal && ['VALIDATION_ERROR', 'DESTINATION_NOT_ALLOWED'].includes(error.code);

/** Matches numbers that look like extensions. Three digits are excluded: they are emergency and service numbers. */
const missingExtension = /^(?:\d{2}|\d{4,8})$/;

interface InternalCall {
  id: string;
  accountId: number;
  ramal: string;
  callee: string;
  incoming: IncomingLeg;
}

const acceptInternal = (deps: IncomingCallDeps, call: InternalCall): Promise<LiveCall> =>
  inAccount(deps.db, call.accountId, async (tx) => {
    const { id, accountId, incoming } = call;
    const [extension, callee, caps] = await awaitPipelined(
      findCallingExtension(tx, accountId, call.ramal, incoming.at),
      findCallingExtension(tx, accountId, call.callee, incoming.at),
      findCaps(tx, accountId),
    );
    if (!extension || !callee) throw notFound();
    const reached = reachable(callee);
    if (callee.id === extension.id)
      throw new Refusal('CAPACITY_EXCEEDED', 'An extension cannot call itself.');
    return await writeFreeCall(tx, deps, caps, {
      id,
      kind: 'internal',
      extension,
      destination: callee.ramal,
      reached,
      callerId: extension.ramal,
      record: extension.recordCalls || callee.recordCalls,
      requestedBy: extension.userId,
      incoming,
    });
  });
