import { type Fault, invalid } from '../../../platform/errors.ts';
import { phoneDigits } from '../../../platform/phone.ts';
import type { Trunk, TrunkLogin } from './trunk.ts';

const nameShape = /^[a-z0-9][a-z0-9-]{0,62}$/;
const addressShape =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/;
const prefixShape = /^\d{1,15}$/;

/** Validates strictly, because the values are used in dial strings. Reports all faults together. */
export function refuseFaultyTrunk(
  trunk: Omit<Trunk, 'id' | 'changedAt' | 'outboundLogin' | 'inboundLogin'>,
): void {
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
  must(
    !trunk.srtp || trunk.transport === 'tls',
    'srtp',
    'off unless the transport is tls, which protects its keys',
  );
  if (faults.length > 0) throw invalid(...faults);
}

const userShape = /^[A-Za-z0-9._@+-]{1,64}$/;
const passwordShape = /^[\x21-\x7e]{1,128}$/;
/** We choose the password that a carrier must send, and MD5 digests can be guessed offline. */
const minInboundCharacters = 16;

/** Validates the credentials of both directions; their passwords are not part of the message. */
export function refuseFaultyLogins(logins: {
  outboundLogin?: TrunkLogin | null;
  inboundLogin?: TrunkLogin | null;
}): void {
  const faults: Fault[] = [];
  const check = (login: TrunkLogin | null | undefined, path: string, minCharacters: number) => {
    if (!login) return;
    const must = (holds: boolean, name: string, message: string) => {
      if (!holds) faults.push({ path: name, code: 'invalid', message: `${name} must be ${message}.` });
    };
    must(userShape.test(login.user), `${path}user`, '1 to 64 letters, digits and . _ @ + -');
    must(
      passwordShape.test(login.password) && login.password.length >= minCharacters,
      `${path}password`,
      `${minCharacters} to 128 ASCII characters without spaces`,
    );
  };
  check(logins.outboundLogin, '', 1);
  check(logins.inboundLogin, 'inbound-', minInboundCharacters);
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
