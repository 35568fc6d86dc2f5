import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import { inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound, Refusal } from '../../../platform/errors.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { phoneDigits, readPhone } from '../../../platform/phone.ts';
import { findFundingInputs } from '../../billing/index.ts';
import { type CallingExtension, findCallingExtension } from '../../extensions/index.ts';
import type { Lease, LiveCall } from '../call.ts';
import type { Caps } from '../limits/caps.rules.ts';
import { findCaps } from '../limits/caps.store.ts';
import { acceptOutbound } from './accept-outbound.ts';
import { findAccountOfPhone } from './incoming-leg.store.ts';
import { type IncomingCallDeps, type IncomingLeg, reachable, writeFreeCall } from './place-free-call.ts';
import { refusalBy } from './refuse-incoming-leg.ts';

/** A call dialled on a softphone, reported by the node that has its leg. */
interface PhoneCall {
  leg: string;
  sip: string;
  called: string;
  /** The calling extension, authenticated by the edge, and the address of that edge. */
  ramal: string;
  domain: string;
  passedOnBy: string;
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
  const incoming = { leg: call.leg, sip: call.sip, lease, at: deps.clock.now() };
  return await inAccount(deps.db, accountId, (tx) => acceptDialled(tx, deps, accountId, call, incoming));
}

/** Tries an extension of the account first; anything else is an external number, authorised like API calls. */
async function acceptDialled(
  tx: Tx,
  deps: IncomingCallDeps,
  accountId: number,
  { ramal, called }: PhoneCall,
  incoming: IncomingLeg,
): Promise<LiveCall> {
  const { at } = incoming;
  const id = uuidv7(at);
  const destination = readPhone(called);
  const dialled = phoneDigits(called) ?? '';
  const digits = destination.kind === 'number' ? destination.digits : '';
  const [extension, callee, caps, fundingInputs] = await awaitPipelined(
    findCallingExtension(tx, accountId, ramal, at),
    findCallingExtension(tx, accountId, dialled, at),
    findCaps(tx, accountId),
    findFundingInputs(tx, { accountId, destination: digits, at }),
  );
  if (!extension) throw notFound();
  if (callee) return await acceptInternal(tx, deps, { extension, callee, caps, id, incoming });
  if (destination.kind !== 'number' && missingExtension.test(dialled)) throw notFound();
  return await acceptOutbound(tx, deps, {
    id,
    at,
    kind: 'dialled',
    extension,
    destination,
    calledField: 'called',
    requestedCaller: undefined,
    caps,
    fundingInputs,
    autoAnswer: false,
    requestedBy: extension.userId,
    metadata: {},
    incoming,
  });
}

/** Matches numbers that look like extensions. Three digits are excluded: they are emergency and service numbers. */
const missingExtension = /^(?:\d{2}|\d{4,8})$/;

interface InternalCall {
  id: string;
  extension: CallingExtension;
  callee: CallingExtension;
  caps: Caps;
  incoming: IncomingLeg;
}

async function acceptInternal(
  tx: Tx,
  deps: IncomingCallDeps,
  { id, extension, callee, caps, incoming }: InternalCall,
): Promise<LiveCall> {
  const phone = reachable(callee);
  if (callee.id === extension.id) throw new Refusal('CAPACITY_EXCEEDED', 'An extension cannot call itself.');
  return await writeFreeCall(tx, deps, caps, {
    id,
    kind: 'internal',
    extension,
    destination: callee.ramal,
    phone,
    callerId: extension.ramal,
    record: extension.recordCalls || callee.recordCalls,
    requestedBy: extension.userId,
    incoming,
  });
}
