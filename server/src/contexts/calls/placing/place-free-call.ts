import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { findBook, type LowBalanceDeps, planFreeHold, takeHold } from '../../billing/index.ts';
import type { CallingExtension, Registration } from '../../extensions/index.ts';
import { liveCallOf, type NewCall, writeCall } from '../call.store.ts';
import type { Lease, LiveCall } from '../call.ts';
import type { Caps } from '../limits/caps.rules.ts';
import { slotOf } from '../limits/slot.rules.ts';
import { notRegistered, ownerFields } from './accept-outbound.ts';

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

export function reachable({ registration }: CallingExtension): Registration {
  if (registration) return registration;
  throw notRegistered();
}

interface FreeCall {
  id: string;
  kind: 'internal' | 'inbound';
  extension: CallingExtension;
  destination: string;
  /** The registration of the phone to ring. */
  phone: Registration;
  callerId: string;
  record: boolean;
  requestedBy: number | null;
  incoming: IncomingLeg;
}

/**
 * Writes a free call, which needs no credit. It counts towards the account's concurrent calls; inbound calls do not
 * count towards the calls the account may start per second.
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
      sip,
    },
    ...ownerFields(extension),
    requestedBy: call.requestedBy,
    metadata: {},
    fundedSeconds: hold.fundedSeconds,
    claim: lease,
  };
  await awaitPipelined(
    takeHold(tx, deps, hold, { at, slot: slotOf(caps, call.kind === 'inbound') }),
    writeCall(tx, inserted),
  );
  return liveCallOf(inserted);
}
