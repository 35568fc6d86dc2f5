import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimCalls, fundCall } from '../../../src/contexts/calls/index.ts';
import {
  type Budgeted,
  budgetedResources,
  budgetTable,
  saveDefault,
} from '../../../src/contexts/limits/index.ts';
import { migrate } from '../../../src/main/migrate.ts';
import type { Answer } from '../../harness/client.ts';
import {
  addNode,
  answerCall,
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../harness/fixtures/call-limits.ts';
import { extensionBody, nextBody } from '../../harness/fixtures/extensions.ts';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { createFormerDatabase } from '../../harness/former-database.ts';
import { openOperator, type TestOperator } from '../../harness/operator.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { createAccount, password, type TestAccount } from '../../harness/people.ts';
import type { Platform } from '../../harness/platform.ts';

let platform: Platform;
let operator: TestOperator;
let streamUrl: string;
const leaving = new AbortController();

beforeAll(async () => {
  platform = await startCallLimitPlatform({ EVENT_STREAM_SECONDS: '3600' });
  operator = openOperator(platform);
  streamUrl = `${await platform.listen()}/api/v1/events/stream`;
});
afterAll(async () => {
  leaving.abort();
  await operator.close();
  await platform.close();
});
beforeEach(() => saveDefault(operator.db, budgetedResources, 'test', null));

const disca = (...args: string[]) => runOperator(platform, args);
const setDefault = (resource: Budgeted, most: number) => saveDefault(operator.db, [resource], 'test', most);

let made = 0;
const newIntegration = () => {
  made += 1;
  return integrationBody({ gateway: `crm-${made}` });
};

/** Uses one unit of a resource that is counted. Returns the status and the error code. */
const takers: Record<string, (account: CallingAccount) => Promise<Pick<Answer, 'status' | 'body'>>> = {
  calls: async (account) => {
    const answer = await account.call();
    platform.clock.advance(1);
    return answer;
  },
  extensions: ({ admin }) => admin.client.post('/extensions/next-available', nextBody()),
  users: ({ admin }) => {
    made += 1;
    const email = `budget${made}@empresa.test`;
    return admin.client.post('/users', {
      name: 'Ana',
      email,
      password,
      phone: '5511912345678',
      role: 'USER',
    });
  },
  integrations: ({ admin }) => admin.client.patch('/integrations', newIntegration()),
  contacts: ({ admin }) => {
    made += 1;
    const body = { number: `55119${80_000_000 + made}`, name: 'Ana', deal: null };
    return admin.client.request('PUT', '/contacts', { body });
  },
  tokens: ({ admin }) => admin.client.post('/users/accessTokens', { ttl: 3600 }),
  mails: async ({ admin }) => {
    made += 1;
    return await admin.client.patch('/users', { email: `budget${made}@empresa.test` });
  },
  code_calls: ({ admin }) => {
    made += 1;
    return admin.client.post('/callerIds', { number: `55119${80_000_000 + made}` });
  },
  event_streams: async ({ admin }) => {
    const response = await fetch(streamUrl, {
      headers: { authorization: admin.token },
      signal: leaving.signal,
    });
    return { status: response.status, body: response.ok ? {} : await response.json() };
  },
};

/** The tests of the other resources: the file, and how the title starts. */
const otherTests: Record<string, [file: string, title: string]> = {
  call_minutes: ['limits/budgets', 'LIMIT-21 a call is not funded beyond the minutes of its account'],
  recorded_minutes: [
    'limits/recording-budgets',
    'LIMIT-21 a call that starts when the recorded minutes of the day are used is not recorded',
  ],
  stored_megabytes: [
    'limits/recording-budgets',
    'LIMIT-25 a call that starts when stored recordings use their budget is not recorded',
  ],
  webhook_requests: [
    'webhooks/hosts',
    'LIMIT-23 an account has at most its budget of webhook requests at once',
  ],
  replayed_events: [
    'webhooks/proof',
    'HOOK-36 LIMIT-23 an account replays no more events per day than its budget',
  ],
  exports: [
    'calls/listing/export-limits',
    'LIMIT-24 refuses an export beyond the budget of the account by name',
  ],
  relay_quotas: [
    'extensions/phone-sessions/relay',
    'LIMIT-24 the extensions of an account with a budget share its quotas of the relay',
  ],
  requests: [
    'limits/request-budgets',
    'LIMIT-31 an account sends the requests of five seconds at once, then those of its budget',
  ],
  database_connections: [
    'limits/request-budgets',
    'LIMIT-26 requests of an account use as many connections as its budget',
  ],
};

const budgetOf = async (account: TestAccount, resource: string) => {
  const { budgets } = (await account.admin.client.get('/accounts/limits')).body;
  return budgets.find((each: { resource: string }) => each.resource === resource);
};

async function countedRefusals(resource: string): Promise<number> {
  const line = new RegExp(String.raw`^disca_budget_refusals_total\{.*resource="${resource}".*\} (\d+)$`, 'm');
  return Number(line.exec(await platform.api.base.metrics.text())?.[1]);
}

test('LIMIT-19 LIMIT-24 every resource is tested', () => {
  const tested = [...Object.keys(takers), ...Object.keys(otherTests)];
  expect(tested.toSorted()).toEqual(budgetedResources.toSorted());
});

test.each(Object.entries(otherTests))(
  'LIMIT-19 the budget of %s has a test that names it',
  (resource, [file, title]) => {
    const text = readFileSync(new URL(`../${file}.test.ts`, import.meta.url), 'utf8');
    // Only this test, which ends at the start of a line.
    const source = text.split(`\ntest('${title}`)[1]?.split('\n});')[0];
    expect(source).toMatch(new RegExp(`'${resource}'`));
  },
);

test.each(Object.keys(takers) as Budgeted[])(
  'LIMIT-19 LIMIT-24 an account uses its budget of %s to the last one, and the next is refused by name',
  async (resource) => {
    const [account, other] = [await createCallingAccount(platform), await createCallingAccount(platform)];
    const take = takers[resource];
    if (!take) throw new Error('There is no test.');
    const usedBefore = (await budgetOf(account, resource)).used ?? 0;
    const most = usedBefore + 2;
    await setDefault(resource, most);
    const answers: Awaited<ReturnType<typeof take>>[] = [];
    for (let count = 0; count < 4; count += 1) answers.push(await take(account));
    expect(answers.map(({ status }) => status)).toEqual(
      resource === 'calls' ? [200, 200, 429, 429] : [200, 200, 409, 409],
    );
    const { errorCode, message } = answers[3]?.body.error ?? {};
    if (resource === 'calls') {
      expect([errorCode, message]).toEqual([
        'CAPACITY_EXCEEDED',
        expect.stringContaining('concurrent calls'),
      ]);
    } else {
      expect(errorCode).toBe('ACCOUNT_LIMIT');
      expect(message).toContain(`limit is ${most} ${budgetTable[resource].unit}`);
      expect(await countedRefusals(resource)).toBe(2);
    }
    expect(await budgetOf(account, resource)).toMatchObject({
      limit: most,
      isSet: false,
      used: resource === 'event_streams' ? null : most,
    });
    // Another account has its own budget.
    expect((await take(other)).status).toBe(200);
    // The operator raises that of one account, at once.
    await disca('budgets', 'set', account.domain, resource, String(most + 1));
    expect((await take(account)).status).toBe(200);
    expect((await take(account)).status).not.toBe(200);
    expect(await budgetOf(account, resource)).toMatchObject({ limit: most + 1, isSet: true });
  },
);

test('LIMIT-19 concurrent requests do not exceed a budget, and a bulk is created as a whole or not at all', async () => {
  const account = await createAccount(platform);
  const { client } = account.admin;
  await setDefault('extensions', 5);
  const bulk = (count: number) =>
    client.post('/extensions/bulk', { extensions: Array.from({ length: count }, () => extensionBody()) });
  expect((await bulk(6)).status).toBe(409);
  expect((await budgetOf(account, 'extensions')).used).toBe(0);
  const answers = await Promise.all(Array.from({ length: 5 }, () => bulk(2)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect((await budgetOf(account, 'extensions')).used).toBe(4);

  await setDefault('integrations', 3);
  const people = [account.admin, await account.addUser(), await account.addUser(), await account.addUser()];
  const saved = await Promise.all(
    [...people, ...people].map((person) => person.client.patch('/integrations', newIntegration())),
  );
  expect(saved.filter(({ status }) => status === 200)).toHaveLength(3);
});

test('LIMIT-19 a request that is refused for another reason is not refused for the budget', async () => {
  const account = await createAccount(platform);
  await setDefault('extensions', 0);
  const { body } = await account.admin.client.post('/extensions', { ...extensionBody(), ramal: 'x' });
  expect(body.error.errorCode).toBe('VALIDATION_ERROR');
});

test('LIMIT-20 the operator shows and changes defaults and budgets, and the audit log of the account records it', async () => {
  const account = await createAccount(platform);
  expect((await disca('budgets', 'default', 'users', '--test', '7', '--live', '70')).out).toMatch(
    /^users +test 7, live 70: users and open invitations$/m,
  );
  expect((await disca('budgets', 'show', account.domain)).out).toMatch(/^users +7 \(default\)$/m);
  expect((await disca('budgets', 'set', account.domain, 'users', '9')).out).toMatch(/^users +9$/m);
  expect((await disca('budgets', 'set', account.domain, 'users', 'none')).out).toMatch(/^users +none$/m);
  expect((await disca('budgets', 'set', account.domain, 'users', 'default')).out).toMatch(
    /^users +7 \(default\)$/m,
  );
  await platform.database.query(`update accounts set mode = 'live' where id = $1`, [account.id]);
  expect((await disca('budgets', 'show', account.domain)).out).toMatch(/^users +70 \(default\)$/m);
  const { data } = (await account.admin.client.list('/audit', undefined, { page: '1' })).body;
  const entries = data.filter(({ action }: { action: string }) => action === 'account.budgets');
  expect(entries).toMatchObject([
    { before: { users: null }, after: { users: 7 } },
    { before: { users: 9 }, after: { users: null } },
    { before: { users: 7 }, after: { users: 9 } },
  ]);
  expect((await disca('budgets', 'default', 'users', '--test', 'many')).err).toContain(
    'whole number, or none',
  );
  expect((await disca('budgets', 'default', 'all', '--live', 'none')).out).toMatch(
    /^users +test 7, live none/m,
  );
});

test('LIMIT-21 a call is not funded beyond the minutes of its account, in whole billing increments', async () => {
  const account = await createCallingAccount(platform);
  await setDefault('call_minutes', 2);
  const { body } = await account.call();
  const call = await answerCall(platform, body.id);
  const deps = { ...platform.api.app, db: platform.api.base.db, clock: platform.clock };
  platform.clock.advance(30);
  // The second minute is the last one: it is not renewed.
  expect(await fundCall(deps, call)).toEqual({ fundedSeconds: 120, renewAt: null });
  platform.clock.advance(60);
  expect(await fundCall(deps, call)).toEqual({ fundedSeconds: 120, renewAt: null });
  await disca('budgets', 'set', account.domain, 'call_minutes', '3');
  expect(await fundCall(deps, call)).toEqual({ fundedSeconds: 180, renewAt: null });
  await disca('budgets', 'set', account.domain, 'call_minutes', 'none');
  platform.clock.advance(60);
  expect(await fundCall(deps, call)).toMatchObject({ fundedSeconds: 240, renewAt: expect.any(Date) });
});

test('LIMIT-22 live calls are claimed before test calls', async () => {
  const [test1, live, test2] = [
    await createCallingAccount(platform),
    await createCallingAccount(platform),
    await createCallingAccount(platform),
  ];
  const ids: string[] = [];
  for (const account of [test1, live, test2]) {
    ids.push((await account.call()).body.id);
    platform.clock.advance(1);
  }
  await platform.database.query(`update live_calls set book = 'live' where account_id = $1`, [live.id]);
  const lease = await addNode(platform);
  const now = platform.clock.now();
  const claimed: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const [call] = await claimCalls(platform.api.base.db, lease, new Date(now.getTime() - 4_000), now, 1);
    if (call && ids.includes(call.callId)) claimed.push(call.callId);
  }
  expect(claimed).toEqual([ids[1], ids[0], ids[2]]);
});

test('LIMIT-20 a new database has the documented defaults, and accounts of an earlier release keep what they had', async () => {
  const database = await createFormerDatabase('0046', 'test');
  try {
    await migrate(database.url, undefined);
    await database.client.query(
      `insert into accounts (id, uuid, domain, name, email, phone, crm, user_quantity, status, mode, created_at, updated_at)
       select id, gen_random_uuid(), mode || '.example.com', 'A', mode || '@example.com', '5511999990000', 'Outros', '1',
              'active', mode, now(), now() from (values (2, 'test'), (3, 'live')) as a (id, mode)`,
    );
    const budgetsOf = async (id: number) => {
      const { rows } = await database.client.query<{ resource: string; most: string | null }>(
        'select resource, most from effective_budgets where account_id = $1',
        [id],
      );
      return Object.fromEntries(rows.map(({ resource, most }) => [resource, most && Number(most)]));
    };
    const defaults = (mode: 'test' | 'live') =>
      Object.fromEntries(budgetedResources.map((resource) => [resource, budgetTable[resource][mode]]));
    // Contacts came with their budget, so that no account had any before it.
    const kept = Object.fromEntries(budgetedResources.map((each) => [each, null]));
    expect(await budgetsOf(1)).toEqual({ ...kept, contacts: 1_000 });
    expect(await budgetsOf(2)).toEqual(defaults('test'));
    expect(await budgetsOf(3)).toEqual(defaults('live'));
    expect(defaults('test')).toEqual({
      calls: 3,
      call_minutes: 10,
      recorded_minutes: 60,
      stored_megabytes: 1_000,
      extensions: 10,
      users: 10,
      integrations: 20,
      tokens: 50,
      event_streams: 10,
      webhook_requests: 20,
      replayed_events: 1_000,
      mails: 20,
      code_calls: 5,
      exports: 2,
      relay_quotas: 3,
      requests: 20,
      database_connections: 3,
      contacts: 1_000,
    });
  } finally {
    await database.drop();
  }
});
