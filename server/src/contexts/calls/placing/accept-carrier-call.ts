import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import { inAccount } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { canonicalDigits } from '../../../platform/phone.ts';
import { findCallingExtension } from '../../extensions/index.ts';
import type { Lease, LiveCall } from '../call.ts';
import { findCaps } from '../limits/caps.store.ts';
import { findExtensionOfNumber } from './incoming-leg.store.ts';
import { type IncomingCallDeps, reachable, writeFreeCall } from './place-free-call.ts';
import { refusalBy, refuseTestAccount } from './refuse-incoming-leg.ts';

/** A call offered by a carrier. */
interface CarrierCall {
  leg: string;
  sip: string;
  called: string;
  from: string;
  /** Modes of the trunks that have the source address. */
  modes: string[];
  isForLiveOnly: boolean;
}

/** Rings the extension to which the called number is assigned. */
export async function acceptCarrierCall(
  deps: IncomingCallDeps,
  lease: Lease,
  call: CarrierCall,
): Promise<LiveCall> {
  const at = deps.clock.now();
  const number = canonicalDigits(call.called);
  const called = number && (await findExtensionOfNumber(deps.db, lease, number, call.modes, at));
  if (!called) throw await refusalBy(deps, lease, notFound());
  const { accountId } = called;
  if (call.isForLiveOnly) await refuseTestAccount(deps, accountId);
  return await inAccount(deps.db, accountId, async (tx) => {
    const [extension, caps] = await awaitPipelined(
      findCallingExtension(tx, accountId, called.ramal, at),
      findCaps(tx, accountId),
    );
    if (!extension) throw notFound();
    return await writeFreeCall(tx, deps, caps, {
      id: uuidv7(at),
      kind: 'inbound',
      extension,
      destination: number,
      reached: reachable(extension),
      callerId: canonicalDigits(call.from) || anonymous,
      record: extension.recordCalls,
      requestedBy: null,
      incoming: { leg: call.leg, sip: call.sip, lease, at },
    });
  });
}

/** The calling number of an inbound call without one. */
const anonymous = 'anonymous';
