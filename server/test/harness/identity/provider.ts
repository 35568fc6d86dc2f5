import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';
import { freePort } from '../../../../tools/dev/ports.ts';
import { makeCertificate } from '../../adapters/webhooks/servers.ts';
import { answerInteraction } from './interaction.ts';

/** A user at the provider. */
export interface ProviderUser {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
  locale?: string;
}

export interface TestProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The certificate of the provider. */
  certificateAuthority: string;
  /** Users by the name with which they log in. */
  users: Map<string, ProviderUser>;
  /** Changes the responses of the token endpoint. */
  forge: ((body: Record<string, unknown>) => void) | undefined;
  /** Requests that the provider received, as `GET /path`. */
  requests: string[];
  close(): Promise<void>;
}

/** Starts an OpenID Provider over TLS on a loopback address. */
export async function startProvider(redirectUrl: string): Promise<TestProvider> {
  const { key, cert } = await makeCertificate('DNS:localhost,IP:127.0.0.1');
  const port = await freePort();
  const issuer = `https://127.0.0.1:${port}`;
  const users = new Map<string, ProviderUser>();
  const clientSecret = randomBytes(24).toString('hex');
  const provider = new Provider(issuer, configurationOf(redirectUrl, clientSecret, users));
  const state: TestProvider = {
    issuer,
    clientId: 'disca',
    clientSecret,
    certificateAuthority: cert,
    users,
    forge: undefined,
    requests: [],
    close: () => closeServer(server),
  };
  provider.use(async (context, next) => {
    state.requests.push(`${context.method} ${context.path}`);
    await next();
    if (context.path === '/token') state.forge?.(context.body as Record<string, unknown>);
  });
  const handle = provider.callback();
  const server = createServer({ key, cert }, (request, response) => {
    const isForm = request.url?.startsWith('/interaction/');
    if (isForm) void answerInteraction(provider, users, request, response);
    else void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  if ((server.address() as AddressInfo).port !== port) throw new Error('The provider has another port.');
  return state;
}

function configurationOf(
  redirectUrl: string,
  clientSecret: string,
  users: Map<string, ProviderUser>,
): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [{ client_id: 'disca', client_secret: clientSecret, redirect_uris: [redirectUrl] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'locale'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => {
      const user = [...users.values()].find(({ sub }) => sub === id);
      return user && { accountId: id, claims: () => ({ ...user }) };
    },
    // Users agree to every client.
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new context.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
