import { type Fault, invalid } from '../../../platform/errors.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import type { Trunk } from './trunk.ts';

const nameShape = /^[a-z0-9][a-z0-9-]{0,62}$/;
const addressShape =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/;
const prefixShape = /^\d{1,15}$/;

/** Validates strictly, because the values are used in dial strings. Reports all faults together. */
export function refuseFaultyTrunk(trunk: Omit<Trunk, 'id'>): void {
  const faults: Fault[] = [];
  const must = (holds: boolean, path: string, message: string) => {
    if (!holds) faults.push({ path, code: 'invalid', message: `${path} must be ${message}.` });
  };
  const port = Number(addressShape.exec(trunk.address)?.[1]);
  must(nameShape.test(trunk.name), 'name', 'lower-case letters, digits and hyphens');
  must(port >= 1 && port <= 65_535, 'address', 'host:port, such as sip.carrier.example:5060');
  must(
    trunk.prefixes.every((prefix) => prefixShape.test(prefix)),
    'prefixes',
    'digits',
  );
  must(isWholeBetween(trunk.priority, 0, 1_000_000), 'priority', 'a whole number from 0 to 1000000');
  must(/^\d{3,15}$/.test(trunk.defaultCallerId), 'caller-id', 'a number of 3 to 15 digits');
  must(isWholeBetween(trunk.stripDigits, 0, 6), 'strip', 'a whole number from 0 to 6');
  must(/^\d{0,10}$/.test(trunk.addDigits), 'add', 'at most 10 digits');
  if (faults.length > 0) throw invalid(...faults);
}

const isWholeBetween = (value: number, min: number, max: number): boolean =>
  Number.isInteger(value) && value >= min && value <= max;

/** Tests not claimed within this time are dropped. */
export const testTakenWithinSeconds = 10;

/** Normalises the number of a test call. The operator may call numbers that customers may not. */
export function testNumber(text: string): string {
  const digits = phoneDigits(text);
  if (digits !== undefined && /^\d{3,15}$/.test(digits)) return digits;
  throw invalid({ path: 'number', code: 'invalid', message: 'number must have 3 to 15 digits.' });
}

/** Returns an address without its port. */
export const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':'));

/** Returns an IPv6 address without brackets. */
export const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
