import { type Database, inAccount } from '../../../platform/db/database.ts';
import { type Fault, invalid, notFound, Refusal } from '../../../platform/errors.ts';
import { type KeyedRequest, keyFields } from '../../../platform/idempotency.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { canonicalDigits, type PhoneReading, phoneFault } from '../../../platform/phone.ts';
import {
  aheadSeconds,
  graceSeconds,
  holdRefusal,
  type LowBalanceDeps,
  prefixesOf,
  warnOfLowBalance,
} from '../../billing/index.ts';
import type { CallingExtension } from '../../extensions/index.ts';
import { eventFields, liveCallOf } from '../call.store.ts';
import type { Lease, LiveCall } from '../call.ts';
import { approvalRefusal } from '../limits/approval.rules.ts';
import { type Caps, defaultCaps } from '../limits/caps.rules.ts';
import { slotRefusal } from '../limits/slot.rules.ts';
import { suspensionRefusal } from '../limits/suspend-calling.ts';
import { callerIdRefusal, type RequestedCallerId, requestedCallerId } from './caller-id.rules.ts';
import { allowDestination } from './destination.rules.ts';
import { type Placed, type PlaceRequest, placeAlone, placeIn, type Unplaced } from './place-call.store.ts';

/** A call to an external number, requested through the API or dialled on a phone. */
export interface OutboundCall {
  id: string;
  accountId: number;
  at: Date;
  kind: 'click' | 'dialled';
  ramal: string;
  destination: PhoneReading;
  /** The request field with the destination, named in validation errors. */
  calledField: string;
  requestedCaller: string | undefined;
  /** The user who requests the call; for a dialled call, the extension's. */
  requestedBy: number | null;
  /** True if the extension must be the requester's. */
  mustOwn: boolean;
  metadata: Record<string, unknown>;
  /** The number dialled on a phone, which may be that of an extension. */
  callee?: string;
  /** The node that is expected to claim the call. */
  chosen?: Lease | undefined;
  /** Set if a phone started the call. */
  incoming?: { leg: string; sip: string; lease: Lease };
  keyed?: { request: KeyedRequest; answer: object };
  /** The id that `POST /dialer` returns. */
  dialerId?: string;
}

interface OutboundDeps extends LowBalanceDeps {
  db: Database;
}

/**
 * Places the call in one statement, which decides in the documented order. Returns "key" if its idempotency key is
 * known, "internal" if the called number is an extension, and throws all other refusals.
 */
export async function acceptOutbound(
  deps: OutboundDeps,
  call: OutboundCall,
): Promise<LiveCall | 'key' | 'internal'> {
  const placed = await place(deps, call, requestOf(call));
  if (placed.outcome === 'key' || placed.outcome === 'internal') return placed.outcome;
  if (placed.outcome !== 'placed') throw refusalOf(call, placed);
  return liveCallOf({ ...call, ...placed, claim: call.incoming?.lease });
}

/** Repeats the statement in a transaction if the low-balance alert has to be published with the call. */
async function place(
  deps: OutboundDeps,
  call: OutboundCall,
  request: PlaceRequest,
): Promise<Placed | Unplaced> {
  const { accountId, at } = call;
  const placed = await placeAlone(deps.db, accountId, request);
  if (placed.outcome === 'bina') {
    return await place(deps, call, { ...request, bina_digits: canonicalDigits(placed.bina) ?? '' });
  }
  if (placed.outcome !== 'low') return placed;
  return await inAccount(deps.db, accountId, async (tx) => {
    const repeated = await placeIn(tx, accountId, { ...request, may_alert: true });
    if (repeated.outcome === 'placed')
      await warnOfLowBalance(tx, deps, accountId, repeated.book, repeated, at);
    return repeated;
  });
}

function requestOf(call: OutboundCall): PlaceRequest {
  const { id, at, ramal, destination, incoming, keyed } = call;
  return {
    ...eventFields(id, at),
    ...termsRequest(destination, requestedCallerId(call.requestedCaller, ramal)),
    kind: call.kind,
    ramal,
    callee: call.callee,
    requested_by: call.requestedBy,
    must_own: call.mustOwn,
    leg: incoming?.leg,
    sip: incoming?.sip,
    node: incoming?.lease.node,
    chosen_node: call.chosen?.node,
    chosen_epoch: call.chosen?.epoch,
    metadata: call.metadata,
    may_alert: false,
    transaction_id: uuidv7(at),
    dialer_id: call.dialerId,
    ...(keyed ? keyFields(keyed.request, keyed.answer) : {}),
  };
}

/** Returns what `outbound_terms` decides by: the number, the requested caller ID, and the default limits. */
export function termsRequest(destination: PhoneReading, caller: RequestedCallerId) {
  const digits = destination.kind === 'number' ? destination.digits : '';
  return {
    destination: digits,
    country: countryOf(destination),
    prefixes: prefixesOf(digits),
    caller: caller.number,
    must_present: caller.isRequired,
    ahead_seconds: aheadSeconds,
    grace_seconds: graceSeconds,
    calls_per_second: defaultCaps.callsPerSecond,
    daily_spend_micros: defaultCaps.dailySpendMicros,
    price_per_minute_micros: defaultCaps.pricePerMinuteMicros,
    countries: defaultCaps.countries,
  };
}

/** Returns the country that has to be enabled, or undefined if no account may call the number. */
function countryOf(destination: PhoneReading): string | undefined {
  if (destination.kind !== 'number' || !destination.country) return undefined;
  return allowDestination(destination, [destination.country]).ok ? destination.country : undefined;
}

/** Returns why a number cannot be called. `calledField` is the field of the request that has the number. */
export function refusalOf(
  call: Pick<OutboundCall, 'destination' | 'calledField'>,
  unplaced: Pick<Unplaced, 'outcome'> & { callsPerSecond?: number | null },
): Error {
  switch (unplaced.outcome) {
    case 'extension':
      return notFound();
    case 'owner':
      return new Refusal('ACCESS_DENIED', 'This extension belongs to another user.');
    case 'unapproved':
      return approvalRefusal();
    case 'suspended':
      return suspensionRefusal();
    case 'destination':
      return destinationRefusal(call.destination, call.calledField);
    case 'caller':
      return callerIdRefusal();
    case 'registration':
      return notRegistered();
    case 'rate':
      return slotRefusal('rate', unplaced.callsPerSecond ?? undefined);
    case 'concurrency':
      return slotRefusal('concurrency');
    case 'price':
    case 'minute_price':
    case 'spend':
    case 'credit':
      return holdRefusal(unplaced.outcome);
    default:
      return new Error(`A call was not placed: ${unplaced.outcome}.`);
  }
}

export const notRegistered = (): Refusal =>
  new Refusal('EXTENSION_NOT_REGISTERED', 'No softphone is registered for this extension.');

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
  throw destinationRefusal(destination, field, caps.countries);
}

function destinationRefusal(
  destination: PhoneReading,
  field: string,
  countries: readonly string[] = [],
): Refusal {
  const decision = allowDestination(destination, countries);
  if (decision.ok) throw new Error('The destination is allowed.');
  if (decision.code === 'VALIDATION_ERROR') return invalid(numberFault(field, destination));
  const { code, cause, message } = decision;
  return new Refusal(code, message, { details: [{ path: field, code: cause, message }] });
}

export function numberFault(field: string, reading: PhoneReading): Fault {
  const { code, message } = phoneFault(reading);
  return { path: field, code, message: `\`${field}\` ${message}.` };
}
