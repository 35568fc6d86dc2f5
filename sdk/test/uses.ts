import type { Disca } from '../src/index.ts';

interface Given {
  place: Record<string, string>;
  query: Record<string, string>;
  body: never;
}

type Use = (disca: Disca, given: Given) => Promise<unknown>;

/** Returns a signed URL in the format of the API. */
const linkOf = ({ place, query }: Given): string =>
  `http://elsewhere.test/api/v1/recordings/${place.callId}?signature=${query.signature}`;

const filterOf = ({ query }: Given) => JSON.parse(query.filter ?? '{}') as object;

async function hearStream(disca: Disca): Promise<void> {
  const enough = new AbortController();
  const events = disca.events.stream({ signal: enough.signal, onOpen: () => enough.abort() });
  for await (const event of events) throw new Error(`Unexpected event type ${event.type}.`);
}

/** SDK call for each operation. */
export const uses: Record<string, Use> = {
  'POST /accounts/signup': (disca, { body }) => disca.signup.create(body),
  'GET /accounts/signup': (disca) => disca.signup.choices(),
  'POST /accounts/signup/resend': (disca, { body }) => disca.signup.resend((body as { email: string }).email),
  'GET /accounts/confirm': (disca, { query }) => disca.signup.confirm(query.token ?? ''),
  'GET /accounts': (disca) => disca.account.get(),
  'PATCH /accounts': (disca, { body }) => disca.account.update(body),
  'POST /accounts/live-request': (disca) => disca.request('post', '/accounts/live-request', {}),
  'GET /accounts/balance': (disca) => disca.account.balance(),
  'GET /accounts/limits': (disca) => disca.account.limits(),
  'GET /accounts/statement': (disca, given) => disca.statement.list(filterOf(given)).first(),
  'GET /accounts/statement/totals': (disca, { query }) =>
    disca.request('get', '/accounts/statement/totals', { query }),
  'GET /accounts/statement/by-extension': (disca, { query }) =>
    disca.request('get', '/accounts/statement/by-extension', { query }),
  'GET /accounts/financial': (disca) => disca.financial.get(),
  'POST /accounts/financial': (disca, { body }) => disca.financial.create(body),
  'PUT /accounts/financial': (disca, { body }) => disca.financial.update(body),
  'GET /requests': (disca, given) => disca.requests.list(filterOf(given)).first(),
  'POST /users/login': (disca, { body }) => disca.access.logIn(body),
  'POST /users/logout': (disca) => disca.access.logOut(),
  'POST /users/reset': (disca, { body }) => disca.access.forgotPassword((body as { email: string }).email),
  'POST /users/reset-password': (disca, { body }) => disca.access.resetPassword(body),
  'POST /users/undo-email': (disca, { body }) => disca.request('post', '/users/undo-email', { body }),
  'POST /users/invitations': (disca, { body }) => disca.request('post', '/users/invitations', { body }),
  'GET /users/invitations': (disca) => disca.request('get', '/users/invitations', {}),
  'POST /users/invitations/{uuid}/resend': (disca, { place }) =>
    disca.request('post', '/users/invitations/{uuid}/resend', { path: { uuid: place.uuid ?? '' } }),
  'DELETE /users/invitations/{uuid}': (disca, { place }) =>
    disca.request('delete', '/users/invitations/{uuid}', { path: { uuid: place.uuid ?? '' } }),
  'POST /users/invitations/open': (disca, { body }) =>
    disca.request('post', '/users/invitations/open', { body }),
  'POST /users/invitations/accept': (disca, { body }) =>
    disca.request('post', '/users/invitations/accept', { body }),
  'POST /users/change-password': (disca, { body }) => disca.access.changePassword(body),
  'POST /users/accessTokens': (disca, { body }) => disca.tokens.create(body),
  'HEAD /users/accessTokens': (disca) => disca.tokens.isValid(),
  'GET /users/accessTokens': (disca, given) => disca.tokens.list(filterOf(given)).first(),
  'DELETE /users/accessTokens/{prefix}': (disca, { place }) => disca.tokens.revoke(place.prefix ?? ''),
  'POST /accounts/accessTokens': (disca, { body }) => disca.serviceTokens.create(body),
  'GET /accounts/accessTokens': (disca, given) => disca.serviceTokens.list(filterOf(given)).first(),
  'DELETE /accounts/accessTokens/{prefix}': (disca, { place }) =>
    disca.serviceTokens.revoke(place.prefix ?? ''),
  'POST /console/session': (disca, { body }) => disca.request('post', '/console/session', { body }),
  'DELETE /console/session': (disca) => disca.request('delete', '/console/session', {}),
  'POST /console/session/passkey': (disca) => disca.request('post', '/console/session/passkey', {}),
  'POST /console/sso/start': (disca, { body }) => disca.request('post', '/console/sso/start', { body }),
  'POST /console/sso/callback': (disca, { body }) => disca.request('post', '/console/sso/callback', { body }),
  'POST /console/sso/proof': (disca) => disca.request('post', '/console/sso/proof', {}),
  'POST /console/sso/test': (disca) => disca.request('post', '/console/sso/test', {}),
  'GET /accounts/sso': (disca) => disca.request('get', '/accounts/sso', {}),
  'PUT /accounts/sso': (disca, { body }) => disca.request('put', '/accounts/sso', { body }),
  'DELETE /accounts/sso': (disca) => disca.request('delete', '/accounts/sso', {}),
  'POST /accounts/sso/check-domain': (disca, { body }) =>
    disca.request('post', '/accounts/sso/check-domain', { body }),
  'GET /users/me/sessions': (disca) => disca.request('get', '/users/me/sessions', {}),
  'DELETE /users/me/sessions': (disca) => disca.request('delete', '/users/me/sessions', {}),
  'DELETE /users/me/sessions/{prefix}': (disca, { place }) =>
    disca.request('delete', '/users/me/sessions/{prefix}', { path: { prefix: place.prefix ?? '' } }),
  'POST /users/me/proof': (disca, { body }) => disca.request('post', '/users/me/proof', { body }),
  'GET /users/me/factors': (disca) => disca.request('get', '/users/me/factors', {}),
  'POST /users/me/factors/totp/start': (disca) => disca.request('post', '/users/me/factors/totp/start', {}),
  'POST /users/me/factors/totp': (disca, { body }) =>
    disca.request('post', '/users/me/factors/totp', { body }),
  'POST /users/me/factors/passkey/start': (disca) =>
    disca.request('post', '/users/me/factors/passkey/start', {}),
  'POST /users/me/factors/passkey': (disca, { body }) =>
    disca.request('post', '/users/me/factors/passkey', { body }),
  'POST /users/me/factors/recovery-codes': (disca) =>
    disca.request('post', '/users/me/factors/recovery-codes', {}),
  'DELETE /users/me/factors/{id}': (disca, { place }) =>
    disca.request('delete', '/users/me/factors/{id}', { path: { id: place.id ?? '' } }),
  'DELETE /users/{uuid}/factors': (disca, { place }) =>
    disca.request('delete', '/users/{uuid}/factors', { path: { uuid: place.uuid ?? '' } }),
  'GET /accounts/second-factor': (disca) => disca.request('get', '/accounts/second-factor', {}),
  'PUT /calls/{id}/note': (disca, { place, body }) =>
    disca.request('put', '/calls/{id}/note', { path: { id: place.id ?? '' }, body }),
  'GET /dispositions': (disca) => disca.request('get', '/dispositions', {}),
  'PUT /dispositions': (disca, { body }) => disca.request('put', '/dispositions', { body }),
  'GET /contacts': (disca, { query }) => disca.request('get', '/contacts', { query }),
  'GET /contacts/lookup': (disca, { query }) =>
    disca.request('get', '/contacts/lookup', { query: { number: query.number ?? '' } }),
  'GET /contacts/{id}': (disca, { place }) =>
    disca.request('get', '/contacts/{id}', { path: { id: place.id ?? '' } }),
  'PUT /contacts': (disca, { body }) => disca.request('put', '/contacts', { body }),
  'POST /contacts/import': (disca, { body }) => disca.request('post', '/contacts/import', { body }),
  'DELETE /contacts/{id}': (disca, { place }) =>
    disca.request('delete', '/contacts/{id}', { path: { id: place.id ?? '' } }),
  'GET /users/me': (disca) => disca.users.me(),
  'PUT /users/me/availability': (disca, { body }) => disca.request('put', '/users/me/availability', { body }),
  'GET /availability': (disca, { query }) => disca.request('get', '/availability', { query }),
  'GET /users/me/context': (disca) => disca.users.context(),
  'GET /users': (disca, given) => disca.users.list(filterOf(given)).first(),
  'POST /users': (disca, { body }) => disca.users.create(body),
  'PATCH /users': (disca, { body }) => disca.users.update(body),
  'DELETE /users/{uuid}': (disca, { place }) => disca.users.remove(place.uuid ?? ''),
  'GET /users/{uuid}/permissions': (disca, { place }) => disca.users.permissions(place.uuid ?? ''),
  'PUT /users/{uuid}/permissions': (disca, { place, body }) =>
    disca.users.setPermissions(place.uuid ?? '', body),
  'GET /extensions': (disca, given) => disca.extensions.list(filterOf(given)).first(),
  'POST /extensions/{id}/reveal': (disca, { place }) => disca.extensions.reveal(place.id ?? ''),
  'POST /extensions': (disca, { body }) => disca.extensions.create(body),
  'PATCH /extensions': (disca, { body }) => disca.extensions.update(body),
  'GET /extensions/{id}': (disca, { place }) => disca.extensions.get(place.id ?? ''),
  'DELETE /extensions/{id}': (disca, { place }) => disca.extensions.remove(place.id ?? ''),
  'GET /extensions/next-available': (disca) => disca.extensions.nextAvailable(),
  'POST /extensions/next-available': (disca, { body }) => disca.extensions.createNext(body),
  'POST /extensions/bulk': (disca, { body }) =>
    disca.extensions.createMany((body as { extensions: never }).extensions),
  'POST /extensions/{id}/phone-sessions': (disca, { place }) =>
    disca.extensions.openPhoneSession(place.id ?? ''),
  'DELETE /extensions/{id}/phone-sessions/{sessionId}': (disca, { place }) =>
    disca.extensions.endPhoneSession(place.id ?? '', place.sessionId ?? ''),
  'GET /calls/summary': (disca, { query }) => disca.calls.summary(query),
  'GET /calls': (disca, given) => disca.calls.list(filterOf(given)).first(),
  'POST /calls': (disca, { body }) => disca.calls.place(body),
  'GET /calls/search': (disca, given) => disca.calls.search(filterOf(given)).first(),
  'GET /calls/export': async (disca, given) => (await disca.calls.export(filterOf(given))).text(),
  'GET /calls/{id}': (disca, { place }) => disca.calls.get(place.id ?? ''),
  'POST /dialer': (disca, { body }) => disca.calls.dial(body),
  'POST /calls/{id}/hangup': (disca, { place }) => disca.calls.hangUp(place.id ?? ''),
  'POST /calls/{id}/hold': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/hold', { path: { id: place.id ?? '' }, body }),
  'POST /calls/{id}/unhold': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/unhold', { path: { id: place.id ?? '' }, body }),
  'POST /calls/{id}/mute': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/mute', { path: { id: place.id ?? '' }, body }),
  'POST /calls/{id}/unmute': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/unmute', { path: { id: place.id ?? '' }, body }),
  'POST /calls/{id}/transfer': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/transfer', { path: { id: place.id ?? '' }, body }),
  'POST /calls/{id}/transfer/complete': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/transfer/complete', { path: { id: place.id ?? '' }, body }),
  'POST /calls/{id}/transfer/cancel': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/transfer/cancel', { path: { id: place.id ?? '' }, body }),
  'POST /calls/{id}/conference': (disca, { place, body }) =>
    disca.request('post', '/calls/{id}/conference', { path: { id: place.id ?? '' }, body }),
  'GET /calls/{id}/price': (disca, { place }) => disca.calls.price(place.id ?? ''),
  'GET /calls/{id}/deliveries': (disca, { place }) => disca.calls.deliveries(place.id ?? ''),
  'GET /calls/{id}/recording/accesses': (disca, given) =>
    disca.calls.recordingAccesses(given.place.id ?? '', filterOf(given)).first(),
  'GET /recordings/{callId}': async (disca, given) => (await disca.recordings.open(linkOf(given))).bytes(),
  'HEAD /recordings/{callId}': (disca, given) => disca.recordings.head(linkOf(given)),
  'GET /callerIds': (disca, given) => disca.callerIds.list(filterOf(given)).first(),
  'POST /callerIds': (disca, { body }) => disca.callerIds.request(body),
  'POST /callerIds/{id}/verify': (disca, { place, body }) =>
    disca.callerIds.verify(place.id ?? '', (body as { code: string }).code),
  'DELETE /callerIds/{id}': (disca, { place }) => disca.callerIds.remove(place.id ?? ''),
  'GET /rates/quote': (disca, { query }) => disca.rates.quote(query.to ?? ''),
  'POST /charges': (disca, { body }) => disca.charges.create(body),
  'GET /charges': (disca, given) => disca.charges.list(filterOf(given)).first(),
  'GET /charges/{id}': (disca, { place }) => disca.charges.get(place.id ?? ''),
  'GET /charges/{id}/pix': (disca, { place }) => disca.charges.pix(place.id ?? ''),
  'PATCH /charges/{id}/cancel': (disca, { place }) => disca.charges.cancel(place.id ?? ''),
  'POST /gateways/{gateway}/events': (disca, { place, body }) =>
    disca.request('post', '/gateways/{gateway}/events', { path: { gateway: place.gateway ?? '' }, body }),
  'POST /sandbox/charges/{id}/pay': (disca, { place, body }) => disca.sandbox.pay(place.id ?? '', body),
  'POST /sandbox/charges/{id}/refund': (disca, { place, body }) => disca.sandbox.refund(place.id ?? '', body),
  'POST /sandbox/credit': (disca, { body }) =>
    disca.sandbox.setCredit((body as { available: number }).available),
  'PATCH /integrations': (disca, { body }) => disca.integrations.save(body),
  'GET /integrations': (disca, given) => disca.integrations.list(filterOf(given)).first(),
  'DELETE /integrations/{id}': (disca, { place }) => disca.integrations.remove(place.id ?? ''),
  'GET /integrations/{id}/secret': (disca, { place }) => disca.integrations.secret(place.id ?? ''),
  'POST /integrations/{id}/secret/rotate': (disca, { place }) =>
    disca.integrations.rotateSecret(place.id ?? ''),
  'GET /integrations/{id}/deliveries': (disca, given) =>
    disca.integrations.deliveries(given.place.id ?? '', filterOf(given)).first(),
  'GET /integrations/{id}/deliveries/{deliveryId}': (disca, { place }) =>
    disca.integrations.delivery(place.id ?? '', place.deliveryId ?? ''),
  'POST /integrations/{id}/deliveries/{deliveryId}/replay': (disca, { place }) =>
    disca.integrations.replayDelivery(place.id ?? '', place.deliveryId ?? ''),
  'POST /integrations/{id}/replay': (disca, { place, body }) =>
    disca.integrations.replay(place.id ?? '', body),
  'POST /integrations/{id}/test': (disca, { place, body }) =>
    disca.integrations.test(place.id ?? '', (body as { type: 'channel-hangup' }).type),
  'POST /integrations/{id}/explain': (disca, { place, body }) =>
    disca.integrations.explain(place.id ?? '', body),
  'GET /integrations/health': (disca) => disca.integrations.health(),
  'GET /events': (disca, { query }) => disca.events.page(query),
  'GET /events/stream': (disca) => hearStream(disca),
  'GET /events/reconcile': (disca, { query }) => disca.events.reconcile(query),
  'GET /audit': (disca, given) => disca.audit.list(filterOf(given)).first(),
  'GET /openapi.json': (disca) => disca.request('get', '/openapi.json', {}),
};
