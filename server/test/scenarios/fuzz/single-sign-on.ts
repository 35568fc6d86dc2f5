import type { Client } from '../../harness/client.ts';
import { cookiesOf, type Identity, ssoSettings, zone } from '../../harness/identity/sso-account.ts';
import { visitProvider } from '../../harness/identity/visit.ts';
import type { WireRequest } from './request-plan.ts';

/** Single sign-on of one account. */
interface SingleSignOn {
  /** Adds to the request what a browser sends that returns from the provider, unless the settings were changed. */
  returnFromProvider(request: WireRequest): Promise<void>;
  remove(): void;
}

interface SingleSignOnDeps {
  identity: Identity;
  /** Without a token. */
  client: Client;
  admin: Client;
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** The name server responds for its domains. */
export const mailDomainOf = (name: string): string => `${name}.${zone}`;

const flowCookie = '__Host-disca-sso';

/** Configures single sign-on with a proved domain, and binds all users of the account to users of the provider. */
export async function addSingleSignOn(
  { identity: { provider }, client, admin, query }: SingleSignOnDeps,
  accountId: number,
  { email, mailDomain }: { email: string; mailDomain: string },
): Promise<SingleSignOn> {
  const body = ssoSettings(provider, { domains: [mailDomain] });
  const saved = await admin.request('PUT', '/accounts/sso', { body });
  if (saved.status !== 200) throw new Error(`Single sign-on was refused: ${saved.status} ${saved.text}`);
  await query('update sso_domains set proved_at = now() where account_id = $1', [accountId]);
  await query(
    `insert into sso_identities (user_id, account_id, issuer, subject, created_at, last_login_at)
     select id, account_id, $2, email, now(), now() from users where account_id = $1`,
    [accountId, provider.issuer],
  );
  provider.users.set(email, { sub: email, email, email_verified: true, name: 'Ana', locale: 'en' });
  return {
    async returnFromProvider(request) {
      const started = await client.post('/console/sso/start', { email });
      if (started.status !== 200) return;
      // The provider refuses a client that a generated request configured.
      const returned = await visitProvider(started.body.url, email).catch(() => undefined);
      if (returned === undefined) return;
      request.raw = JSON.stringify({ query: returned });
      request.headers['content-type'] = 'application/json';
      request.headers.cookie = `${flowCookie}=${cookiesOf(started).get(flowCookie)}`;
    },
    remove: () => void provider.users.delete(email),
  };
}
