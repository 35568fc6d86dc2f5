import { type Budgeted, refusedResources } from '../../../src/contexts/limits/budget-table.ts';

/** What the attacking process knows of its account. */
export interface Attacker {
  apiUrl: string;
  /** Tokens of its ADMINs. */
  tokens: string[];
  ramais: string[];
  /** Integrations of the first ADMIN. */
  integrationIds: number[];
  webhookUrl: string;
  startedAt: string;
}

/** One attempt to use more of a budget. */
export interface Attempt {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: object;
  /** The response is not read, so that the service keeps it open. */
  isHeld?: boolean;
  /** Sent by the first ADMIN instead of by all in rotation. */
  isOfFirst?: boolean;
}

/** Every budget is attacked by requests, in another way, or is tested elsewhere because this run cannot use it up. */
export const attacks: Record<Budgeted, ((attacker: Attacker, count: number) => Attempt) | string> = {
  calls: ({ ramais }, count) => {
    const ramal = ramais[count % ramais.length] ?? '';
    const called = `55119${String(7_000_000 + count).slice(-6)}97`;
    return { method: 'POST', path: '/calls', body: { caller: ramal, called, extension: ramal } };
  },
  extensions: (_, count) => ({
    method: 'POST',
    path: '/extensions/next-available',
    body: {
      first_name: 'Ana',
      last_name: 'Souza',
      senha: `segredo-${count}-x`,
      email_address: `ramal${count}@ataque.test`,
      gravar_audio: 0,
    },
  }),
  users: (_, count) => ({
    method: 'POST',
    path: '/users',
    body: {
      name: 'Ana',
      email: `pessoa${count}@ataque.test`,
      password: 'correct horse battery',
      phone: '5511912345678',
      role: 'USER',
    },
  }),
  integrations: ({ webhookUrl }, count) => ({
    method: 'PATCH',
    path: '/integrations',
    body: integrationBody(`ataque${count}`, webhookUrl),
  }),
  tokens: () => ({ method: 'POST', path: '/users/accessTokens', body: { ttl: 3600 } }),
  contacts: (_, count) => ({
    method: 'POST',
    path: '/contacts/import',
    body: { contacts: [{ number: `55119${String(60_000_000 + count)}`, name: 'Ana' }] },
  }),
  event_streams: () => ({ method: 'GET', path: '/events/stream', isHeld: true }),
  replayed_events: ({ integrationIds, startedAt }, count) => ({
    method: 'POST',
    path: `/integrations/${integrationIds[count % integrationIds.length]}/replay`,
    body: { since: startedAt, until: new Date().toISOString() },
    isOfFirst: true,
  }),
  mails: (_, count) => ({ method: 'PATCH', path: '/users', body: { email: `novo${count}@ataque.test` } }),
  code_calls: (_, count) => ({
    method: 'POST',
    path: '/callerIds',
    body: { number: `55119${String(60_000_000 + count)}` },
  }),
  exports: () => ({ method: 'GET', path: '/calls/export', isHeld: true }),
  database_connections: (_, count) => ({
    method: 'GET',
    path: `/calls/search?q=${encodeURIComponent(`an ${count % 10}`)}`,
  }),
  requests: () => ({ method: 'GET', path: '/users/me' }),
  webhook_requests: 'Its webhooks take 5 s each.',
  call_minutes: 'Calls of ten minutes are longer than the test: contexts/limits/budgets.test.ts.',
  recorded_minutes: 'An hour is longer than the test: contexts/limits/recording-budgets.test.ts.',
  stored_megabytes: 'A gigabyte is more than the test records: contexts/limits/recording-budgets.test.ts.',
  relay_quotas: 'The deployment has no relay: contexts/extensions/phone-sessions/relay.test.ts.',
};

/** The error code with which a request for more of each budget is refused. Requests for connections wait instead. */
export const refusals: Record<string, string> = Object.fromEntries([
  ['calls', 'CAPACITY_EXCEEDED'],
  ...refusedResources.map((resource) => [resource, 'ACCOUNT_LIMIT']),
]);

export const integrationBody = (gateway: string, webhookUrl: string) => ({
  gateway,
  webhook: true,
  webhookConstraint: {},
  metadata: {
    webhookUrl,
    webhookTypes: ['channel-create', 'channel-answer', 'channel-hangup', 'call-priced'],
  },
});
