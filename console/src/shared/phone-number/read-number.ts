/** Loaded on first use, because the numbering plans of all countries are large. */
const loadParser = () => import('../../../../server/src/platform/phone.ts');

/** Why a text cannot be dialled. */
export type DialFault = 'numberFault' | 'specialNumber';

/** Returns the digits to dial, a number with country code or an extension, or why there are none. */
export async function readDialled(text: string): Promise<{ digits: string } | { fault: DialFault }> {
  const { phoneDigits, readPhone } = await loadParser();
  const digits = phoneDigits(text);
  if (digits !== undefined && /^\d{2,8}$/.test(digits) && !text.includes('+')) return { digits };
  const reading = readPhone(text);
  if (reading.kind === 'number') return { digits: reading.digits };
  return { fault: reading.kind === 'special' ? 'specialNumber' : 'numberFault' };
}

/** A number that the text may denote. */
export interface FoundNumber {
  digits: string;
  canDial: boolean;
}

/** Returns every number that the text may denote, or its digits if they can be part of a number. */
export async function findNumbers(text: string): Promise<FoundNumber[]> {
  const { contactReadings, phoneDigits } = await loadParser();
  const readings = contactReadings(text).map((digits) => ({ digits, canDial: true }));
  const digits = phoneDigits(text) ?? '';
  return readings.length === 0 && /^\d{8,15}$/.test(digits) ? [{ digits, canDial: false }] : readings;
}

/**
 * Returns a function that reads the number of a contact: its digits with country code, or the text as it is if it denotes
 * no number or several. Contacts are not dialled, so a Brazilian number needs no mark.
 */
export async function readContactNumbers(): Promise<(text: string) => string> {
  const { contactReadings } = await loadParser();
  return (text) => {
    const [digits, other] = contactReadings(text);
    return digits === undefined || other !== undefined ? text : digits;
  };
}
