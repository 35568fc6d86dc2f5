import * as oidc from 'openid-client';
import type { FlowRequest, IdentityProviders, IdentityResult, OidcClient } from '../../contexts/sso/index.ts';
import { Failure, type GuardedFetch } from '../webhooks/index.ts';

export { createFindTxtRecords } from './txt-records.ts';

const scope = 'openid email profile';

/** Identity providers that customers chose, with OpenID Connect. Every request to them goes through `guarded`. */
export function createIdentityProviders(guarded: GuardedFetch): IdentityProviders {
  const discover = (client: OidcClient): Promise<oidc.Configuration> =>
    oidc.discovery(new URL(client.issuer), client.clientId, client.clientSecret, undefined, {
      [oidc.customFetch]: (url, { method, headers, body }) =>
        guarded.fetch(new URL(url), { method, headers, body: textOf(body) }),
      // The signature of the ID token is checked too, not only the connection that it came from.
      execute: [oidc.enableNonRepudiationChecks],
    });

  return {
    begin: (client, flow) =>
      outcome(async () => {
        const config = await discover(client);
        const url = oidc.buildAuthorizationUrl(config, await parametersOf(client, flow));
        return { outcome: 'done', url: url.href };
      }),
    finish: (client, flow, query) =>
      outcome(async () => {
        const config = await discover(client);
        const callback = new URL(client.redirectUrl);
        callback.search = query;
        const tokens = await oidc.authorizationCodeGrant(config, callback, {
          pkceCodeVerifier: flow.codeVerifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        });
        return { outcome: 'done', identity: await identityOf(config, tokens) };
      }),
  };
}

async function parametersOf(client: OidcClient, flow: FlowRequest): Promise<Record<string, string>> {
  return {
    redirect_uri: client.redirectUrl,
    scope,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(flow.codeVerifier),
    code_challenge_method: 'S256',
    ...(flow.loginHint === undefined ? {} : { login_hint: flow.loginHint }),
    ...(flow.isFresh ? { prompt: 'login', max_age: '0' } : {}),
  };
}

/** Reads the claims from the ID token; a provider may return those of the scopes at its user info endpoint only. */
async function identityOf(
  config: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): Promise<Extract<IdentityResult, { outcome: 'done' }>['identity']> {
  const idToken = tokens.claims();
  if (!idToken) throw new Error('The provider returned no ID token.');
  const { sub: subject, auth_time: authTime } = idToken;
  const hasMore = idToken.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const claims = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, subject) : idToken;
  const { email, email_verified: isVerified, name, locale } = claims;
  return {
    subject,
    email: typeof email === 'string' ? email : undefined,
    isEmailVerified: isVerified === true,
    name: typeof name === 'string' ? name : undefined,
    locale: typeof locale === 'string' ? locale : undefined,
    authenticatedAt: authTime === undefined ? undefined : new Date(authTime * 1000),
  };
}

type Failed = { outcome: 'unavailable' | 'refused'; detail: string };

/** Converts what a provider or its network does wrong to a named outcome. */
async function outcome<Done>(work: () => Promise<Done>): Promise<Done | Failed> {
  try {
    return await work();
  } catch (error) {
    const failure = failureIn(error);
    if (failure) return { outcome: 'unavailable', detail: failure.message };
    if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError)
      return { outcome: 'refused', detail: `The provider responded \`${error.error}\`.` };
    if (error instanceof oidc.ClientError || error instanceof oidc.WWWAuthenticateChallengeError)
      return { outcome: 'refused', detail: `The response of the provider is not valid: ${error.message}.` };
    throw error;
  }
}

function failureIn(error: unknown): Failure | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof Failure) return each;
  return undefined;
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new Error('openid-client sent a body of another type.');
}
