import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NameServer, startNameServer } from '../../../../tools/dev/services/knot.ts';
import type { Answer, Client } from '../client.ts';
import { createAccount, type TestAccount } from '../people.ts';
import type { SharedPlatform } from '../platform.ts';
import { type ProviderUser, startProvider, type TestProvider } from './provider.ts';
import { type ProviderCookies, visitProvider } from './visit.ts';

/** The zone in which tests prove domains. */
export const zone = 'sso.test';

export interface Identity {
  provider: TestProvider;
  dns: NameServer;
  /** For `startPlatform`. */
  override: { nameServers: string[]; certificateAuthority: string };
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Starts a provider and the name server of `zone`. */
export async function startIdentity(consoleUrl: string): Promise<Identity> {
  const dir = mkdtempSync(join(tmpdir(), 'disca-knot-'));
  const [provider, dns] = await Promise.all([
    startProvider(`${consoleUrl}/sso/callback`),
    startNameServer(dir, zone),
  ]);
  return {
    provider,
    dns,
    override: { nameServers: [dns.address], certificateAuthority: provider.certificateAuthority },
    settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    async close() {
      await provider.close();
      await dns.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export const ssoSettings = ({ issuer, clientId, clientSecret }: TestProvider, changes: object = {}) => ({
  issuer,
  clientId,
  clientSecret,
  domains: [],
  isRequired: false,
  exemptAdmin: null,
  ...changes,
});

let domains = 0;
const records: string[] = [];

export const nextDomain = (): string => {
  domains += 1;
  return `empresa-${domains}.${zone}`;
};

/** Creates an account that uses the provider, with a proved domain. */
export async function createSsoAccount(
  platform: SharedPlatform,
  identity: Identity,
): Promise<TestAccount & { mailDomain: string }> {
  const account = await createAccount(platform);
  const mailDomain = nextDomain();
  await setUpSso(account, identity, mailDomain);
  return { ...account, mailDomain };
}

/** Makes an account use the provider with this domain, which it proves unless it has. */
export async function setUpSso(
  { admin: { client } }: TestAccount,
  identity: Identity,
  mailDomain: string,
): Promise<void> {
  const saved = await client.request('PUT', '/accounts/sso', {
    body: ssoSettings(identity.provider, { domains: [mailDomain] }),
  });
  await proveDomain(client, identity, saved);
}

/** Proves the only domain of saved settings, unless it is. */
export async function proveDomain(client: Client, { dns }: Identity, saved: Answer): Promise<void> {
  const [{ recordName, recordValue, provedAt }] = saved.body.domains;
  if (provedAt) return;
  records.push(`${recordName}. TXT "${recordValue}"`);
  await dns.serve(records);
  const domain = recordName.replace('_disca.', '');
  const { status, body } = await client.post('/accounts/sso/check-domain', { domain });
  if (status !== 200 || !body.provedAt) throw new Error(`The domain was not proved: ${status}.`);
}

let people = 0;

/** Adds a user of the provider, by default with a verified address in the domain. */
export function addProviderUser(
  { users }: TestProvider,
  mailDomain: string,
  changes: Partial<ProviderUser> = {},
): Required<Pick<ProviderUser, 'sub' | 'email'>> {
  people += 1;
  const sub = `subject-${people}`;
  const user = {
    sub,
    email: `pessoa${people}@${mailDomain}`,
    email_verified: true,
    name: `Pessoa ${people}`,
    ...changes,
  };
  users.set(sub, user);
  return user;
}

/** The values of the cookies that a response sets, by name. */
export const cookiesOf = ({ headers }: Answer): Map<string, string> =>
  new Map(
    [headers['set-cookie'] ?? []].flat().map((text) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      return [name, value];
    }),
  );

export const sessionHeaders = (session: string): Record<string, string> => ({
  cookie: `__Host-disca=${session}`,
  'x-disca-console': '1',
});

/** Logs in at the provider and returns the response to the callback. */
export async function logInWithSso(
  client: Client,
  email: string,
  sub: string,
  more: { atProvider?: ProviderCookies } = {},
): Promise<Answer> {
  const started = await client.post('/console/sso/start', { email });
  if (started.status !== 200) throw new Error(`The start returned ${started.status}: ${started.text}`);
  return await finishSso(client, started, sub, more);
}

export async function finishSso(
  client: Client,
  started: Answer,
  sub: string,
  { headers = {}, atProvider }: { headers?: Record<string, string>; atProvider?: ProviderCookies } = {},
): Promise<Answer> {
  const query = await visitProvider(started.body.url, sub, atProvider);
  const flow = `__Host-disca-sso=${cookiesOf(started).get('__Host-disca-sso')}`;
  const cookie = headers.cookie ? `${headers.cookie}; ${flow}` : flow;
  return await client.post('/console/sso/callback', { query }, { headers: { ...headers, cookie } });
}
