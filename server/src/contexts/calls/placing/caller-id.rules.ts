import { phoneDigits } from '../../../platform/phone.ts';

/** The requested caller id, usable if the account owns it. */
export interface CallerIdWish {
  number: string | undefined;
  /** Named in the request: the call is refused without it. Otherwise it falls back to the trunk's default number. */
  isDemanded: boolean;
}

/** Without `caller`, or with the extension's own number, the extension's `bina` applies. */
export function wishedCallerId(request: {
  caller: string | undefined;
  ramal: string;
  bina: string | null;
}): CallerIdWish {
  const { caller, ramal, bina } = request;
  const isDemanded = caller !== undefined && caller !== '' && caller !== ramal;
  return { number: phoneDigits((isDemanded ? caller : bina) ?? ''), isDemanded };
}

export type CallerIdChoice =
  /** Null presents the trunk's default number. */
  { ok: true; presented: string | null } | { ok: false; code: 'CALLER_ID_NOT_ALLOWED'; message: string };

export function chooseCallerId(wish: CallerIdWish, isOwned: boolean): CallerIdChoice {
  if (wish.number !== undefined && isOwned) return { ok: true, presented: wish.number };
  if (!wish.isDemanded) return { ok: true, presented: null };
  return {
    ok: false,
    code: 'CALLER_ID_NOT_ALLOWED',
    message: '`caller` must be the extension or a number that the account owns. See GET /callerIds.',
  };
}
