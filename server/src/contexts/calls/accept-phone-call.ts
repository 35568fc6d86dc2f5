import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { together } from '../../platform/db/together.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { phoneDigits } from '../../platform/phone.ts';
import type { Clock } from '../../platform/time.ts';
import { findBook, findTerms, type LowBalanceDeps, planFreeHold, takeHold } from '../billing/index.ts';
import { type CallingExtension, findCallingExtension, type Registration } from '../extensions/index.ts';
import { acceptOutbound, personOf } from './accept-outbound.ts';
import { findAccountOfPhone, findExtensionOfNumber } from './begun-call.store.ts';
import { insertCall, liveCallOf, type NewCall } from './call.store.ts';
import type { Lease, LiveCall } from './call.ts';
import type { Caps } from './caps.rules.ts';
import { findCaps, takeTurn } from './caps.store.ts';
import { readDestination } from './destination.rules.ts';

export interface BegunCallDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
}

/** A call that a softphone has dialled, as the node that has its leg tells. */
export interface PhoneCall {
  leg: string;
  called: string;
  /** Who calls, as the edge has made sure, and the address of that edge. */
  ramal: string;
  domain: string;
  passedOnBy: string;
}

/** A call that a carrier has brought. */
export interface CarrierCall {
  leg: string;
  called: string;
  from: string;
  /** Of the trunks that have the address it came from. */
  modes: string[];
}

interface Begun {
  leg: string;
  lease: Lease;
  at: Date;
}

/** A call is its node's from the beginning: it is written as claimed, and the engine is told afterwards. */
export async function acceptPhoneCall(deps: BegunCallDeps, lease: Lease, call: PhoneCall): Promise<LiveCall> {
  const accountId = await findAccountOfPhone(deps.db, lease, call);
  if (accountId === undefined) throw new Refusal('ACCESS_DENIED', 'This account cannot call.');
  const begun = { leg: call.leg, lease, at: deps.clock.now() };
  return await inAccount(deps.db, accountId, (tx) => acceptDialled(tx, deps, accountId, call, begun));
}

/** An own extension comes first; what is none is a number outside, authorised as the API's calls are. */
async function acceptDialled(
  tx: Tx,
  deps: BegunCallDeps,
  accountId: number,
  { ramal, called }: PhoneCall,
  begun: Begun,
): Promise<LiveCall> {
  const { at } = begun;
  const id = uuidv7(at);
  const destination = readDestination(called);
  const dialled = phoneDigits(called) ?? '';
  const digits = destination.kind === 'number' ? destination.digits : '';
  const [extension, callee, caps, terms] = await together(
    findCallingExtension(tx, accountId, ramal, at),
    findCallingExtension(tx, accountId, dialled, at),
    findCaps(tx, accountId),
    findTerms(tx, { accountId, callId: id, destination: digits, at }),
  );
  if (!extension) throw notFound();
  if (callee) return await acceptInternal(tx, deps, { extension, callee, caps, id, begun });
  if (destination.kind !== 'number' && missingExtension.test(dialled)) throw notFound();
  return await acceptOutbound(tx, deps, {
    id,
    at,
    kind: 'dialled',
    extension,
    destination,
    calledField: 'called',
    callerWish: undefined,
    caps,
    terms,
    autoAnswer: false,
    requestedBy: extension.userId,
    metadata: {},
    begun,
  });
}

/** Nobody's, where it could be an extension's; with three digits it is an emergency number or the like. */
const missingExtension = /^(?:\d{2}|\d{4,8})$/;

interface InternalCall {
  id: string;
  extension: CallingExtension;
  callee: CallingExtension;
  caps: Caps;
  begun: Begun;
}

async function acceptInternal(
  tx: Tx,
  deps: BegunCallDeps,
  { id, extension, callee, caps, begun }: InternalCall,
): Promise<LiveCall> {
  const phone = reachable(callee);
  if (callee.id === extension.id) throw new Refusal('CAPACITY_EXCEEDED', 'This extension is calling itself.');
  return await writeFree(tx, deps, caps, {
    id,
    kind: 'internal',
    extension,
    destination: callee.ramal,
    phone,
    callerId: extension.ramal,
    record: extension.recordCalls || callee.recordCalls,
    requestedBy: extension.userId,
    begun,
  });
}

/** Rings the extension that shows the number which was called. */
export async function acceptCarrierCall(
  deps: BegunCallDeps,
  lease: Lease,
  call: CarrierCall,
): Promise<LiveCall> {
  const at = deps.clock.now();
  const number = phoneDigits(call.called);
  const found = number && (await findExtensionOfNumber(deps.db, lease, number, call.modes, at));
  if (!found) throw notFound();
  const { accountId } = found;
  return await inAccount(deps.db, accountId, async (tx) => {
    const [extension, caps] = await together(
      findCallingExtension(tx, accountId, found.ramal, at),
      findCaps(tx, accountId),
    );
    if (!extension) throw notFound();
    const phone = reachable(extension);
    return await writeFree(tx, deps, caps, {
      id: uuidv7(at),
      kind: 'inbound',
      extension,
      destination: number,
      phone,
      callerId: phoneDigits(call.from) || anonymous,
      record: extension.recordCalls,
      requestedBy: null,
      begun: { leg: call.leg, lease, at },
    });
  });
}

/** What a call from outside without a number is from. */
const anonymous = 'anonymous';

function reachable({ registration }: CallingExtension): Registration {
  if (registration) return registration;
  throw new Refusal('EXTENSION_NOT_REGISTERED', 'No softphone is registered for this extension.');
}

interface FreeCall {
  id: string;
  kind: 'internal' | 'inbound';
  extension: CallingExtension;
  destination: string;
  /** The one that rings. */
  phone: Registration;
  callerId: string;
  record: boolean;
  requestedBy: number | null;
  begun: Begun;
}

/** Costs nothing and needs no credit, but counts among the calls that the account may have at once. */
async function writeFree(tx: Tx, deps: BegunCallDeps, caps: Caps, call: FreeCall): Promise<LiveCall> {
  const { id, extension, destination, begun } = call;
  const { accountId, ramal, domain } = extension;
  const { leg, lease, at } = begun;
  const book = await findBook(tx, accountId);
  const hold = planFreeHold({ accountId, callId: id, book, destination, at });
  const inserted: NewCall = {
    id,
    accountId,
    book,
    kind: call.kind,
    at,
    order: {
      ramal,
      domain,
      destination,
      callerId: call.callerId,
      record: call.record,
      autoAnswer: false,
      phone: call.phone,
      leg,
    },
    ...personOf(extension),
    requestedBy: call.requestedBy,
    metadata: {},
    fundedSeconds: hold.fundedSeconds,
    claim: lease,
  };
  await together(
    takeHold(tx, deps, hold, { accountId, callId: id, destination, at }),
    takeTurn(tx, caps, at),
    insertCall(tx, inserted),
  );
  return liveCallOf(inserted);
}
