import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { findBook, type LowBalanceDeps, planFreeHold, takeHold } from '../../billing/index.ts';
import type { CallingExtension, Registration } from '../../extensions/index.ts';
import { mayRecord } from '../../recordings/index.ts';
import { liveCallOf, type NewCall, writeCall } from '../call.store.ts';
import type { Lease, LiveCall, Unavailability } from '../call.ts';
import type { Caps } from '../limits/caps.rules.ts';
import { inboundRefusal, slotOf } from '../limits/slot.rules.ts';
import { notRegistered, ownerFields } from './accept-outbound.ts';
import { countInboundCalls } from './incoming-leg.store.ts';

export interface IncomingCallDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
}

export interface IncomingLeg {
  leg: string;
  sip: string;
  lease: Lease;
  at: Date;
}

/**
 * Returns the phone to ring, or why none is to ring. The latter comes first, so that a missed call of an absent person
 * is recorded whether or not their phone is registered.
 */
export function reachable({ registration, unavailability }: CallingExtension): Reached {
  if (unavailability) return { unavailability };
  if (registration) return { phone: registration };
  throw notRegistered();
}

type Reached = { phone: Registration } | { unavailability: Unavailability };

interface FreeCall {
  id: string;
  kind: 'internal' | 'inbound';
  extension: CallingExtension;
  destination: string;
  /** The registration of the phone to ring, or why none is to ring. */
  reached: Reached;
  callerId: string;
  record: boolean;
  requestedBy: number | null;
  incoming: IncomingLeg;
}

/**
 * Writes a free call, which needs no credit. A call between extensions takes a slot of the account. An inbound call does
 * not, because outside callers could take them all; it counts towards the limit of the called number.
 */
export async function writeFreeCall(
  tx: Tx,
  deps: IncomingCallDeps,
  caps: Caps,
  call: FreeCall,
): Promise<LiveCall> {
  const { id, extension, destination, incoming } = call;
  const { accountId, ramal, domain } = extension;
  const { leg, sip, lease, at } = incoming;
  const book = await findBook(tx, accountId);
  const { mostCallSeconds: mostSeconds } = caps;
  const hold = planFreeHold({ accountId, callId: id, book, destination, at, mostSeconds });
  const record = call.record && (await mayRecord(tx, accountId, at));
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
      record,
      autoAnswer: false,
      ...call.reached,
      leg,
      sip,
    },
    ...ownerFields(extension),
    requestedBy: call.requestedBy,
    metadata: {},
    fundedSeconds: hold.fundedSeconds,
    claim: lease,
  };
  if (call.kind === 'inbound') {
    // The hold locks the balance, so calls to the number are counted one after the other.
    const [, running] = await awaitPipelined(
      takeHold(tx, deps, hold, { at }),
      countInboundCalls(tx, accountId, destination),
      writeCall(tx, inserted),
    );
    if (running >= caps.inboundCallsPerNumber) throw inboundRefusal();
  } else await awaitPipelined(takeHold(tx, deps, hold, { at, slot: slotOf(caps) }), writeCall(tx, inserted));
  return liveCallOf(inserted);
}
