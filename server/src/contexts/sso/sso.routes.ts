import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../platform/caller.ts';
import { emptyBody, nothing, refused, requestBody } from '../../platform/schemas.ts';
import { afterConsoleProof, duringSetUp, forAdmins, forPersons } from '../../platform/scopes.ts';
import { deviceOf, replaceSession } from '../access/index.ts';
import { type CheckDomainDeps, checkDomain } from './check-domain.ts';
import { type FinishFlowDeps, finishFlow } from './finish-flow.ts';
import { flowSeconds, startLogin } from './flow.ts';
import { endedFlowCookie, flowCookie, flowFrom } from './flow-cookie.rules.ts';
import { changeSettings, readSettings, removeSettings } from './settings.ts';
import {
  callbackQuery,
  checkedDomain,
  finishedSso,
  ownDomainText,
  ssoEmailText,
  ssoSettings,
  startedSso,
  wantedSettings,
} from './sso.schemas.ts';
import { startProof, startTest } from './start-flow.ts';

type SsoRouteDeps = CheckDomainDeps & FinishFlowDeps;

const settingsPath = '/accounts/sso';
const consolePath = '/console/sso';
const notConfigured = refused('`SSO_NOT_CONFIGURED`: there is no single sign-on to use.');
const unavailable = refused(
  '`SSO_PROVIDER_UNAVAILABLE`: the identity provider did not respond as it should.',
);
const proofMissing = '`PROOF_REQUIRED`: send `POST /users/me/proof` first.';

export const ssoRoutes =
  (deps: SsoRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(settingsRoutes(deps));
    await app.register(testRoutes(deps));

    app.post(
      `${consolePath}/start`,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags: ['Console'],
          operationId: 'startSsoLogin',
          summary: 'Start a login with single sign-on',
          description:
            'Returns the address of the identity provider that is responsible for the domain of the e-mail address, and sets the cookie `__Host-disca-sso`, which the callback needs. Whether a user has the address makes no difference.',
          'x-clauses': ['SSO-05', 'SSO-12'],
          body: requestBody({ email: ssoEmailText }).meta({ id: 'SsoStart' }),
          response: { 200: startedSso, 404: notConfigured, 503: unavailable },
        },
      },
      async (request, reply) => {
        const { url, sealed } = await startLogin(deps, request.body.email);
        reply.header('Set-Cookie', flowCookie(sealed, flowSeconds));
        return { url };
      },
    );

    app.post(
      `${consolePath}/callback`,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags: ['Console'],
          operationId: 'finishSso',
          summary: 'Finish a login with single sign-on',
          description:
            'Takes the query with which the identity provider sent the browser back. After a login, sets the cookie of a console session that ends after 12 hours at the latest. Every reason for which a login is refused returns the same 401 `SSO_REFUSED`.',
          'x-clauses': ['SSO-05', 'SSO-06', 'SSO-07', 'SSO-08', 'SSO-11', 'SSO-12'],
          body: requestBody({ query: callbackQuery }).meta({ id: 'SsoCallback' }),
          response: {
            200: finishedSso,
            401: refused('`SSO_REFUSED`.'),
            409: refused('`ACCOUNT_LIMIT`: the account has as many users as it may.'),
            503: unavailable,
          },
        },
      },
      async (request, reply) => {
        const callback = {
          sealed: flowFrom(request.headers.cookie),
          query: request.body.query,
          device: deviceOf(request.headers),
        };
        const { purpose, email, cookie } = await finishFlow(deps, callback, request.caller, request.origin);
        reply.header('Set-Cookie', endedFlowCookie);
        if (cookie !== undefined) {
          await replaceSession(deps, request);
          reply.header('Set-Cookie', cookie);
        }
        return { purpose, email };
      },
    );

    app.post(
      `${consolePath}/proof`,
      {
        config: { access: duringSetUp(forPersons('full')) },
        schema: {
          tags: ['Console'],
          operationId: 'startSsoProof',
          summary: 'Prove your identity with single sign-on',
          description:
            'Like `POST /users/me/proof` for users who log in with single sign-on: returns the address where you authenticate again. The callback notes the proof on the token of the request.',
          'x-clauses': ['SSO-11'],
          body: emptyBody,
          response: { 200: startedSso, 404: notConfigured, 503: unavailable },
        },
      },
      async (request, reply) => {
        const { url, sealed } = await startProof(deps, callerOf(request));
        reply.header('Set-Cookie', flowCookie(sealed, flowSeconds));
        return { url };
      },
    );
  };

const settingsRoutes =
  (deps: SsoRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      settingsPath,
      {
        config: { access: forAdmins('account') },
        schema: {
          tags: ['Accounts'],
          operationId: 'readSso',
          summary: 'Read single sign-on',
          description: 'The client secret is never returned.',
          'x-clauses': ['SSO-01'],
          response: { 200: ssoSettings },
        },
      },
      async (request) => await readSettings(deps, callerOf(request)),
    );

    app.put(
      settingsPath,
      {
        config: { access: afterConsoleProof(forAdmins('account')) },
        schema: {
          tags: ['Accounts'],
          operationId: 'changeSso',
          summary: 'Set single sign-on',
          description:
            'Sets all fields. Another `issuer` or `clientId` needs a `clientSecret`, and ends the sessions and links of the former one. Another `issuer` also ends the proofs of the domains, which get new records. With `isRequired`, the console sessions of users who logged in with a password end, except that of the request.',
          'x-clauses': ['SSO-01', 'SSO-02', 'SSO-09', 'SSO-10', 'SSO-13', 'SSO-15'],
          body: requestBody(wantedSettings, ['isConfigured', 'redirectUrl']).meta({ id: 'SsoChange' }),
          response: {
            200: ssoSettings,
            403: refused(proofMissing),
            409: refused('`SSO_DOMAIN_UNPROVED`: `isRequired` needs a proved domain.'),
          },
        },
      },
      async (request) => await changeSettings(deps, callerOf(request), request.body),
    );

    app.delete(
      settingsPath,
      {
        config: { access: afterConsoleProof(forAdmins('account')) },
        schema: {
          tags: ['Accounts'],
          operationId: 'removeSso',
          summary: 'Remove single sign-on',
          description: 'Ends all sessions that were opened with it. 404 if it is not set up.',
          'x-clauses': ['SSO-13'],
          response: {
            204: nothing,
            403: refused(proofMissing),
            404: refused('Single sign-on is not set up.'),
          },
        },
      },
      async (request) => await removeSettings(deps, callerOf(request)),
    );
  };

const testRoutes =
  (deps: SsoRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      `${settingsPath}/check-domain`,
      {
        config: { access: afterConsoleProof(forAdmins('account')) },
        schema: {
          tags: ['Accounts'],
          operationId: 'checkSsoDomain',
          summary: 'Check the DNS record of a domain',
          description:
            'Proves the domain if its TXT record is found. Otherwise `provedAt` stays as it was, and `found` shows what DNS returned.',
          'x-clauses': ['SSO-03', 'SSO-04'],
          body: requestBody({ domain: ownDomainText }).meta({ id: 'SsoDomainCheck' }),
          response: {
            200: checkedDomain,
            403: refused(proofMissing),
            404: refused('The settings do not contain the domain.'),
            409: refused(
              '`SSO_DOMAIN_TAKEN`: another account uses the domain, and its record is still in DNS.',
            ),
            503: refused('`SERVICE_UNAVAILABLE`: the name servers did not respond.'),
          },
        },
      },
      async (request) => await checkDomain(deps, callerOf(request), request.body.domain),
    );

    app.post(
      `${consolePath}/test`,
      {
        config: { access: afterConsoleProof(forAdmins('account')) },
        schema: {
          tags: ['Console'],
          operationId: 'testSso',
          summary: 'Test single sign-on',
          description:
            'Starts a login that changes nothing: the callback returns the e-mail address, or in `details` the reason why a login would be refused.',
          'x-clauses': ['SSO-14'],
          body: emptyBody,
          response: { 200: startedSso, 403: refused(proofMissing), 404: notConfigured, 503: unavailable },
        },
      },
      async (request, reply) => {
        const { url, sealed } = await startTest(deps, callerOf(request));
        reply.header('Set-Cookie', flowCookie(sealed, flowSeconds));
        return { url };
      },
    );
  };
