import { canonicalDigits } from '../../../platform/phone.ts';

/** The requested caller ID, usable if the account owns it. */
export interface RequestedCallerId {
  number: string | undefined;
  /**
   * True if the request names it: without the caller ID the call is refused. Otherwise the call presents the trunk's
   * default number.
   */
  isRequired: boolean;
}

/**
 * Returns the requested caller ID. Without `caller`, or with the extension's own number, the extension's `bina`
 * applies.
 */
export function requestedCallerId(request: {
  caller: string | undefined;
  ramal: string;
  bina: string | null;
}): RequestedCallerId {
  const { caller, ramal, bina } = request;
  const isRequired = caller !== undefined && caller !== '' && caller !== ramal;
  return { number: canonicalDigits((isRequired ? caller : bina) ?? ''), isRequired };
}

export type CallerIdChoice =
  /** `presented` is null for the trunk's default number. */
  { ok: true; presented: string | null } | { ok: false; code: 'CALLER_ID_NOT_ALLOWED'; message: string };

export function chooseCallerId(requested: RequestedCallerId, isOwned: boolean): CallerIdChoice {
  if (requested.number !== undefined && isOwned) return { ok: true, presented: requested.number };
  if (!requested.isRequired) return { ok: true, presented: null };
  return {
    ok: false,
    code: 'CALLER_ID_NOT_ALLOWED',
    message: '`caller` must be the extension or a number that the account owns. See GET /callerIds.',
  };
}
