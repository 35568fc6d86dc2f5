import type { Caller } from '../../../platform/caller.ts';
import { inAccount, type Tx } from '../../../platform/db/database.ts';
import { type Fault, invalid, Refusal } from '../../../platform/errors.ts';
import { claimKey, type KeyedRequest, keepAnswer, stillRunning } from '../../../platform/idempotency.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { canonicalDigits, phoneDigits, readPhone } from '../../../platform/phone.ts';
import { type LowBalanceDeps, warnOfLowBalance } from '../../billing/index.ts';
import type { CallObserver } from '../observer.ts';
import { numberFault, refusalOf, termsRequest } from '../placing/accept-outbound.ts';
import {
  findShownLegs,
  type PartyFields,
  type NotAdded,
  type Written,
  writeParty,
} from './control-call.store.ts';
import {
  type ActingLeg,
  type ActingParty,
  type ControlCallDeps,
  type ControlledCall,
  done,
  findActing,
  refusalOfState,
} from './control-call.ts';
import { findControllable } from './find-controllable.ts';

export interface AddPartyDeps extends ControlCallDeps, LowBalanceDeps {
  observer: CallObserver;
}

/** A transfer of a running call, or a party that is invited into it. */
export interface NewParty {
  command: 'transfer' | 'conference';
  purpose: 'blind' | 'attended' | 'conference';
  /** The number of an extension of the account, or a number outside. */
  to: string;
  by: ActingParty | undefined;
}

interface AddedParty extends ControlledCall {
  replayed: boolean;
}

/**
 * Adds a party to a running call and wakes its node, which dials it. A number outside is authorised, held and counted like
 * that of a new call. One transaction writes idempotency key, hold, leg and event; a refused request changes nothing.
 */
export async function addParty(
  deps: AddPartyDeps,
  caller: Caller,
  id: string,
  party: NewParty,
  key: string | undefined,
): Promise<AddedParty> {
  const faults = faultsOfParty(party.to);
  if (faults.length > 0) throw invalid(...faults);
  try {
    return await add(deps, caller, id, party, key);
  } catch (error) {
    if (error instanceof Refusal) deps.observer.callRefused('api', error.code);
    throw error;
  }
}

async function add(
  deps: AddPartyDeps,
  caller: Caller,
  id: string,
  party: NewParty,
  key: string | undefined,
): Promise<AddedParty> {
  const { accountId } = caller;
  const at = deps.clock.now();
  const keyed: KeyedRequest | undefined =
    key === undefined
      ? undefined
      : { accountId, route: `POST /calls/:id/${party.command}`, key, body: { id, ...party }, at };
  const { callId, accepted, replayed } = await inAccount(deps.db, accountId, async (tx) => {
    if (keyed && (await isKnown(tx, keyed))) {
      const earlier = await findControllable(tx, caller, id);
      return { callId: earlier.callId, replayed: await findShownLegs(tx, accountId, earlier.callId) };
    }
    const acting = await findActing(tx, caller, id, party.by, at);
    const written = await writeOne(tx, deps, accountId, acting, party, at);
    if (keyed) await keepAnswer(tx, keyed, { id });
    return { callId: acting.callId, accepted: written };
  });
  return accepted
    ? { ...done(deps, callId, accepted), replayed: false }
    : { callId, ...replayed, replayed: true };
}

/** Claims the key. Returns true if a request with it was accepted before. */
async function isKnown(tx: Tx, keyed: KeyedRequest): Promise<boolean> {
  const { state } = await claimKey(tx, keyed);
  if (state === 'unfinished') throw stillRunning();
  return state === 'answered';
}

async function writeOne(
  tx: Tx,
  deps: AddPartyDeps,
  accountId: number,
  acting: ActingLeg,
  { command, purpose, to }: NewParty,
  at: Date,
): Promise<Extract<Written, { outcome: 'accepted' }>> {
  const destination = readPhone(to);
  const fields: PartyFields = {
    ...termsRequest(destination, { number: undefined, isRequired: false }),
    leg_id: uuidv7(at),
    purpose,
    to: phoneDigits(to) ?? '',
    transaction_id: uuidv7(at),
  };
  const write = (more: object = {}): Promise<Written | NotAdded> =>
    writeParty(tx, accountId, { ...acting, command, at }, { ...fields, ...more });
  const first = await write();
  const written =
    first.outcome === 'bina' ? await write({ bina_digits: canonicalDigits(first.bina) ?? '' }) : first;
  switch (written.outcome) {
    case 'accepted':
      if (written.book !== null) await warnOfLowBalance(tx, deps, accountId, written.book, written, at);
      return written;
    case 'party':
      throw invalid({ path: 'to', code: 'party', message: '`to` is a party of this call already.' });
    case 'ended':
    case 'not_answered':
    case 'transferring':
    case 'no_transfer':
    case 'parties':
    case 'unavailable':
      throw refusalOfState(written.outcome);
    default:
      throw refusalOf({ destination, calledField: 'to' }, written);
  }
}

/** Matches numbers of extensions, which are looked up before a number is read as one outside. */
const extensionNumber = /^\d{2,8}$/;

/** Returns faults of the number that the schema cannot detect. */
export function faultsOfParty(to: string | undefined): Fault[] {
  if (to === undefined || extensionNumber.test(to)) return [];
  const reading = readPhone(to);
  return reading.kind === 'invalid' || reading.kind === 'ambiguous' ? [numberFault('to', reading)] : [];
}
