import { Refusal } from '../../../platform/errors.ts';
import { canonicalDigits } from '../../../platform/phone.ts';

/** The caller ID that a request names. */
export interface RequestedCallerId {
  number: string | undefined;
  /**
   * True if the call is refused without it. Otherwise the call presents the extension's `bina`, if the account owns it,
   * or the trunk's default number.
   */
  isRequired: boolean;
}

/** Returns the requested caller ID. Without `caller`, or with the extension's own number, the `bina` applies. */
export function requestedCallerId(caller: string | undefined, ramal: string): RequestedCallerId {
  const isRequired = caller !== undefined && caller !== '' && caller !== ramal;
  return { number: isRequired ? canonicalDigits(caller) : undefined, isRequired };
}

export const callerIdRefusal = (): Refusal =>
  new Refusal(
    'CALLER_ID_NOT_ALLOWED',
    '`caller` must be the extension or a number that the account owns. See GET /callerIds.',
  );
