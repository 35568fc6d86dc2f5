import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PhoneLeg } from '../ports.ts';

/** The keys of the edges by their numbers, and whether calls without a signature are refused. */
export interface CallerSigning {
  keys: ReadonlyMap<number, string>;
  isRequired: boolean;
}

/** How much the clocks of an edge and of voice may differ. */
const clockSkewMs = 30_000;

/** Returns whether an edge has signed the leg's call, caller, called number and time; see route TO_NODE of the edge. */
export function isSigned({ keys }: Pick<CallerSigning, 'keys'>, leg: PhoneLeg, at: Date): boolean {
  const [number = '', unique = '', given = ''] = leg.signature.split('.');
  const key = keys.get(Number(number));
  if (key === undefined || leg.notAfter * 1000 < at.getTime() - clockSkewMs) return false;
  const expected = Buffer.from(signCaller(key, leg, unique));
  const signature = Buffer.from(given);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

type SignedFields = Pick<PhoneLeg, 'sip' | 'ramal' | 'domain' | 'called' | 'notAfter'>;

export const signCaller = (key: string, leg: SignedFields, unique: string): string =>
  createHmac('sha256', key)
    .update(`${leg.sip} ${leg.ramal} ${leg.domain} ${leg.called} ${leg.notAfter} ${unique}`)
    .digest('base64url');
