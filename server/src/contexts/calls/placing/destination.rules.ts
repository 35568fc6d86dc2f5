import { type PhoneReading, phoneFault } from '../../../platform/phone.ts';

export type DestinationDecision =
  | { ok: true; digits: string }
  | { ok: false; code: 'VALIDATION_ERROR'; message: string }
  | { ok: false; code: 'DESTINATION_NOT_ALLOWED'; cause: DestinationCause; message: string };

/** Why a number may not be called; the detail code of the refusal. */
type DestinationCause = 'special_number' | 'number_type' | 'country_disabled';

/** All other types (premium, shared-cost, toll-free, pager, satellite) are refused as too expensive. */
const ordinaryTypes = new Set(['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** Decides whether an account with these countries (ISO 3166) enabled may call the destination. */
export function allowDestination(
  destination: PhoneReading,
  allowedCountries: readonly string[],
): DestinationDecision {
  switch (destination.kind) {
    case 'invalid':
    case 'ambiguous':
      return { ok: false, code: 'VALIDATION_ERROR', message: phoneFault(destination).message };
    case 'special':
      return notAllowed('special_number', 'Emergency, short and service numbers cannot be called.');
    case 'number':
      if (!destination.type || !ordinaryTypes.has(destination.type))
        return notAllowed('number_type', 'Only fixed and mobile numbers can be called.');
      // Satellite and other global networks have no country.
      if (!destination.country || !allowedCountries.includes(destination.country))
        return notAllowed('country_disabled', 'Calls to this country are not enabled for the account.');
      return { ok: true, digits: destination.digits };
  }
}

const notAllowed = (cause: DestinationCause, message: string): DestinationDecision => ({
  ok: false,
  code: 'DESTINATION_NOT_ALLOWED',
  cause,
  message,
});
