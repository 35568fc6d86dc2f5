import type { Fault } from '../../platform/errors.ts';
import { literalAddress, type MayCall } from '../../platform/network.ts';
import type { Identity } from './ports.ts';

const recordLabel = '_disca';
const recordMark = 'disca-verification=';

/** The TXT record that proves a domain. */
export const recordOf = ({ domain, token }: { domain: string; token: string }) => ({
  recordName: `${recordLabel}.${domain}`,
  recordValue: `${recordMark}${token}`,
});

/** Returns the tokens in TXT records, which may be those of several accounts. */
export const tokensIn = (records: readonly string[]): string[] =>
  records
    .map((record) => record.trim())
    .filter((record) => record.startsWith(recordMark))
    .map((record) => record.slice(recordMark.length));

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Returns what is wrong with the address of a provider. Host names are resolved and checked at every request. */
export function faultOfIssuer(text: string, mayCall: MayCall): Fault | undefined {
  const url = new URL(text);
  const literal = literalAddress(url);
  const rule =
    url.protocol !== 'https:'
      ? 'must begin with https://'
      : url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== ''
        ? 'must not contain a user, a query or a fragment'
        : url.port !== '' && Number(url.port) < 1024
          ? 'must have port 443, or 1024 and up'
          : literal !== undefined && !mayCall(literal)
            ? 'must be a public address'
            : undefined;
  return rule === undefined ? undefined : { path: 'issuer', code: 'invalid', message: `\`issuer\` ${rule}.` };
}

/** Why a provider may not vouch for an identity; undefined if it may. */
export function faultOfIdentity(
  { email, isEmailVerified }: Identity,
  provedDomains: readonly string[],
): string | undefined {
  if (email === undefined) return 'The provider returned no e-mail address.';
  if (!isEmailVerified) return 'The provider has not verified the e-mail address (`email_verified`).';
  if (!provedDomains.includes(domainOf(email))) return 'The domain of the e-mail address is not proved.';
  return undefined;
}

/** Clocks of the provider and the service may differ by this much. */
const clockToleranceMs = 30_000;

/** Whether the user authenticated at the provider after a time, and not only had a session there. */
export const isFreshAfter = ({ authenticatedAt }: Identity, startedAt: Date): boolean =>
  authenticatedAt !== undefined && authenticatedAt.getTime() >= startedAt.getTime() - clockToleranceMs;

/** Texts of a provider, as a name that can be stored and shown. */
export function nameFrom({ name, email = '' }: Identity): string {
  const clean = (name ?? '').replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ').trim();
  return (clean === '' ? email.slice(0, email.lastIndexOf('@')) : clean).slice(0, 200);
}

export const localeFrom = ({ locale }: Identity): 'pt-BR' | 'en' =>
  locale?.toLowerCase().startsWith('en') ? 'en' : 'pt-BR';
