import { awaitPipelined } from '../../../platform/db/await-pipelined.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Fault, invalid, Refusal } from '../../../platform/errors.ts';
import { type PhoneReading, phoneFault } from '../../../platform/phone.ts';
import { type FundingInputs, type LowBalanceDeps, planHold, takeHold } from '../../billing/index.ts';
import { ownsCallerId } from '../../caller-ids/index.ts';
import type { CallingExtension } from '../../extensions/index.ts';
import { insertCall, liveCallOf, type NewCall } from '../call.store.ts';
import type { Lease, LiveCall } from '../call.ts';
import type { Caps } from '../limits/caps.rules.ts';
import { reserveCallSlot } from '../limits/caps.store.ts';
import { chooseCallerId, requestedCallerId } from './caller-id.rules.ts';
import { allowDestination } from './destination.rules.ts';

/** A call to an external number, requested through the API or dialled on a phone. */
export interface OutboundCall {
  id: string;
  at: Date;
  kind: 'click' | 'dialled';
  extension: CallingExtension;
  destination: PhoneReading;
  /** The request field with the destination, named in validation errors. */
  calledField: string;
  requestedCaller: string | undefined;
  caps: Caps;
  fundingInputs: FundingInputs;
  autoAnswer: boolean;
  requestedBy: number | null;
  metadata: Record<string, unknown>;
  /** Set if a phone started the call. */
  incoming?: { leg: string; sip: string; lease: Lease };
}

/** Places the hold, reserves a call slot and writes the call. Refuses in the documented order, from 403 on. */
export async function acceptOutbound(tx: Tx, deps: LowBalanceDeps, call: OutboundCall): Promise<LiveCall> {
  const { id, at, extension, caps } = call;
  const { accountId } = extension;
  const digits = allowedDigits(call.destination, caps, call.calledField);
  const callerId = await callerIdFor(tx, accountId, call.requestedCaller, extension);
  const request = { accountId, callId: id, destination: digits, at, spendCap: caps };
  const hold = planHold(call.fundingInputs, request);
  const inserted: NewCall = {
    id,
    accountId,
    book: hold.book,
    kind: call.kind,
    at,
    order: {
      ramal: extension.ramal,
      domain: extension.domain,
      destination: digits,
      callerId,
      record: extension.recordCalls,
      autoAnswer: call.autoAnswer,
      ...(call.incoming ? { leg: call.incoming.leg, sip: call.incoming.sip } : {}),
      ...(call.kind === 'click' && extension.registration ? { phone: extension.registration } : {}),
    },
    ...ownerFields(extension),
    requestedBy: call.requestedBy,
    metadata: call.metadata,
    fundedSeconds: hold.fundedSeconds,
    ...(call.incoming ? { claim: call.incoming.lease } : {}),
  };
  const canRing = call.kind !== 'click' || extension.registration;
  await awaitPipelined(
    takeHold(tx, deps, hold, request),
    ...(canRing ? [reserveCallSlot(tx, caps, at), insertCall(tx, inserted)] : []),
  );
  // Checked after the hold, because INSUFFICIENT_CREDIT takes precedence.
  if (!canRing) {
    throw new Refusal('EXTENSION_NOT_REGISTERED', 'No softphone is registered for this extension.');
  }
  return liveCallOf(inserted);
}

/** Returns the call's owner, copied so that later changes of the extension do not affect the record. */
export const ownerFields = (extension: CallingExtension) => ({
  extensionId: extension.id,
  userId: extension.userId,
  email: extension.email,
  firstName: extension.firstName,
  lastName: extension.lastName,
  bina: extension.bina,
});

export function allowedDigits(destination: PhoneReading, caps: Caps, field: string): string {
  const decision = allowDestination(destination, caps.countries);
  if (decision.ok) return decision.digits;
  if (decision.code === 'VALIDATION_ERROR') throw invalid(numberFault(field, destination));
  throw new Refusal(decision.code, decision.message);
}

async function callerIdFor(
  tx: Tx,
  accountId: number,
  caller: string | undefined,
  { ramal, bina }: CallingExtension,
): Promise<string | null> {
  const requested = requestedCallerId({ caller, ramal, bina });
  const isOwned = requested.number !== undefined && (await ownsCallerId(tx, accountId, requested.number));
  const choice = chooseCallerId(requested, isOwned);
  if (choice.ok) return choice.presented;
  throw new Refusal(choice.code, choice.message);
}

export function numberFault(field: string, reading: PhoneReading): Fault {
  const { code, message } = phoneFault(reading);
  return { path: field, code, message: `\`${field}\` ${message}.` };
}
