import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { syncCustomer } from '../../../../src/contexts/charges/financial-account.ts';
import { type LiveFixture, setMode, startLiveFixture } from '../../../harness/fixtures/charges.ts';
import { createAccount, signupBody, type TestAccount } from '../../../harness/people.ts';

let fixture: LiveFixture;

beforeAll(async () => {
  fixture = await startLiveFixture();
});
afterAll(() => fixture.stop());

const path = '/accounts/financial';
const cpf = '52998224725';
const cnpj = '11222333000181';
const get = async (account: TestAccount) => (await account.admin.client.get(path)).body;
const send = (account: TestAccount, cpfCnpj: unknown) => account.admin.client.post(path, { cpfCnpj });
const put = (account: TestAccount, body: object) => account.admin.client.request('PUT', path, { body });
const locked = { status: 409, body: { error: { errorCode: 'TAX_ID_LOCKED' } } };

const nothingKnown = {
  mobilePhone: null,
  personType: null,
  cpfCnpj: null,
  address: null,
  addressNumber: null,
  addressComplement: null,
  addressProvince: null,
  addressDistrict: null,
  addressCity: null,
  addressState: null,
  addressCountry: null,
  addressZipCode: null,
  additionalEmails: null,
};

describe('financial account', () => {
  test('FIN-01 FIN-06 has exactly its fields, and is PENDING before any data is sent', async () => {
    const signup = signupBody({ organization_name: 'Padaria São João', phone: '551133334444' });
    const account = await createAccount(fixture.platform, signup);
    expect(await get(account)).toEqual({
      ...nothingKnown,
      status: 'PENDING',
      company: 'Padaria São João',
      name: 'Padaria São João',
      email: signup.email,
      phone: '551133334444',
    });
  });

  test('FIN-01 returns each field as a string once it is set', async () => {
    const account = await fixture.account();
    await put(account, {
      phone: '1133334444',
      mobilePhone: '11987654321',
      additionalEmails: 'a@example.com',
    });
    const body = await get(account);
    expect(Object.keys(body).sort()).toEqual(
      [...Object.keys(nothingKnown), 'status', 'company', 'name', 'email', 'phone'].sort(),
    );
    for (const field of [
      'status',
      'company',
      'name',
      'email',
      'phone',
      'mobilePhone',
      'personType',
      'cpfCnpj',
      'additionalEmails',
    ]) {
      expect(body[field]).toBeTypeOf('string');
    }
  });

  test('FIN-06 is ACTIVE once the gateway has the customer, and BLOCKED by the operator', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account({ isActive: false });
    expect((await get(account)).status).toBe('PENDING');
    expect((await send(account, cpf)).body.status).toBe('ACTIVE');
    expect(
      asaas.customers().filter(({ externalReference }) => externalReference === account.uuid),
    ).toMatchObject([{ cpfCnpj: cpf }]);
    await platform.database.query(`update financial_accounts set status = 'BLOCKED' where account_id = $1`, [
      account.id,
    ]);
    expect((await get(account)).status).toBe('BLOCKED');
    expect(await send(account, cnpj)).toMatchObject(locked);
  });

  test.each(['500', 'hang-up', '500-after-effect', 'broken-json-after-effect'] as const)(
    'FIN-06 stays PENDING when the gateway fails with %s; the retry creates one customer',
    async (fault) => {
      const { asaas } = fixture;
      const account = await fixture.account({ isActive: false });
      asaas.fault(fault, { on: 'POST /customers' });
      asaas.meanwhile('POST /customers', () => asaas.fault('500', { on: 'GET /customers' }));
      expect(await send(account, cnpj)).toMatchObject({
        status: 503,
        body: { error: { errorCode: 'PAYMENTS_UNAVAILABLE' } },
      });
      expect(await get(account)).toMatchObject({ status: 'PENDING', cpfCnpj: null });
      expect(await send(account, cpf)).toMatchObject({
        status: 200,
        body: { status: 'ACTIVE', cpfCnpj: cpf },
      });
      const customers = asaas
        .customers()
        .filter(({ externalReference }) => externalReference === account.uuid);
      expect(customers).toMatchObject([{ cpfCnpj: cpf }]);
    },
  );

  test('FIN-06 is separate per mode', async () => {
    const { platform } = fixture;
    const account = await createAccount(platform);
    expect((await send(account, cpf)).body).toMatchObject({ status: 'ACTIVE', cpfCnpj: cpf });
    await setMode(platform, account, 'live');
    expect(await get(account)).toMatchObject({ status: 'PENDING', cpfCnpj: null });
    expect((await send(account, cnpj)).body).toMatchObject({ status: 'ACTIVE', cpfCnpj: cnpj });
    await setMode(platform, account, 'test');
    expect(await get(account)).toMatchObject({ cpfCnpj: cpf });
  });
});

describe('tax id', () => {
  test('FIN-02 COMPAT-03 is required and is returned with the financial account', async () => {
    const account = await fixture.account({ isActive: false });
    for (const body of [{}, { cpfCnpj: null }, { cpfCnpj: '' }, { cpfCnpj: true }, { cpfCnpj: [cpf] }]) {
      const answer = await account.admin.client.post(path, body);
      expect(answer).toMatchObject({
        status: 422,
        body: { error: { errorCode: 'VALIDATION_ERROR', details: [{ path: 'cpfCnpj' }] } },
      });
    }
    const { status, body } = await send(account, cpf);
    expect(status).toBe(200);
    expect(body.cpfCnpj).toBe(cpf);
    expect(body).toEqual(await get(account));
    const asNumber = await account.admin.client.post(path, { cpfCnpj: Number(cpf) });
    expect([asNumber.status, asNumber.body]).toEqual([200, body]);
  });

  test.each([
    ['FISICA', '52998224725', '529.982.247-25'],
    ['JURIDICA', '11222333000181', '11.222.333/0001-81'],
    ['JURIDICA', '12ABC34501DE35', '12.abc.345/01de-35'],
  ])('FIN-07 FIN-09 makes the account %s by %s', async (personType, plain, written) => {
    const account = await fixture.account({ isActive: false });
    expect((await send(account, written)).body).toMatchObject({ personType, cpfCnpj: plain });
    expect(await get(account)).toMatchObject({ personType, cpfCnpj: plain });
    const answer = await account.admin.client.post('/accounts/financial', {
      cpfCnpj: plain,
      personType: 'OTHER',
    });
    expect(answer.body).toMatchObject({ personType });
  });

  test.each([
    '52998224724',
    '52998224715',
    '11222333000180',
    '11222333000191',
    '12ABC34501DE34',
    '12ABC34501DE45',
    '11111111111',
    '',
  ])('FIN-08 %j is rejected', async (cpfCnpj) => {
    const account = await fixture.account({ isActive: false });
    expect(await send(account, cpfCnpj)).toMatchObject({
      status: 422,
      body: { error: { errorCode: 'VALIDATION_ERROR', details: [{ path: 'cpfCnpj' }] } },
    });
    expect(await get(account)).toMatchObject({ status: 'PENDING', cpfCnpj: null });
  });

  test('FIN-04 FIN-05 cannot change once active; sending the same one again is accepted', async () => {
    const account = await fixture.account();
    const before = await get(account);
    expect(await send(account, cnpj)).toMatchObject(locked);
    const derived = { personType: 'JURIDICA', company: 'Outra', name: 'Outra' };
    for (const other of [cnpj, '529.982.247-2', 'ABC'])
      expect(await put(account, { ...derived, cpfCnpj: other, phone: '1133334444' })).toMatchObject(locked);
    for (const own of [{}, { cpfCnpj: '529.982.247-25' }, { cpfCnpj: null }, { cpfCnpj: '' }])
      expect(await put(account, { ...derived, ...own })).toMatchObject({ status: 200 });
    expect(await get(account)).toEqual(before);
    const again = await send(account, '529.982.247-25');
    expect(again.status).toBe(200);
    expect(again.body).toEqual(before);
    const customers = fixture.asaas
      .customers()
      .filter(({ externalReference }) => externalReference === account.uuid);
    expect(customers).toMatchObject([{ cpfCnpj: cpf }]);
  });

  test('FIN-05 is set once, even by concurrent requests', async () => {
    const account = await fixture.account({ isActive: false });
    const answers = await Promise.all(
      [cpf, cnpj, '12ABC34501DE35', cpf, cnpj].map((taxId) => send(account, taxId)),
    );
    const { cpfCnpj } = await get(account);
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) expect(answer.body.cpfCnpj).toBe(cpfCnpj);
      else expect([index, answer]).toMatchObject([index, locked]);
    }
    const customers = fixture.asaas
      .customers()
      .filter(({ externalReference }) => externalReference === account.uuid);
    expect(customers).toMatchObject([{ cpfCnpj }]);
  });
});

describe('contact data', () => {
  const contact = {
    phone: '1133334444',
    mobilePhone: '5511987654321',
    additionalEmails: 'a@example.com,b@example.com',
  };

  test('FIN-03 is accepted before the account is active and returned unchanged', async () => {
    const account = await fixture.account({ isActive: false });
    const { status, body } = await put(account, contact);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...contact, status: 'PENDING' });
    expect(await get(account)).toEqual(body);
    await send(account, cpf);
    const customer = fixture.asaas
      .customers()
      .find(({ externalReference }) => externalReference === account.uuid);
    expect(customer).toMatchObject(contact);
  });

  test('FIN-03 FIN-10 can change once active, and is sent to the gateway', async () => {
    const { platform, asaas } = fixture;
    const account = await fixture.account();
    expect((await put(account, contact)).body).toMatchObject({ ...contact, status: 'ACTIVE', cpfCnpj: cpf });
    const jobs = await platform.database.query<{ data: { accountId: number; book: 'live' } }>(
      `delete from pgboss.job where name = 'charges.sync-customer' returning data`,
    );
    expect(jobs.map(({ data }) => data)).toContainEqual({ accountId: account.id, book: 'live' });
    await syncCustomer(platform.api.app, account.id, 'live');
    const customer = asaas.customers().find(({ externalReference }) => externalReference === account.uuid);
    expect(customer).toMatchObject({ ...contact, cpfCnpj: cpf });
  });

  test('FIN-03 an absent field stays, and null clears it', async () => {
    const account = await fixture.account();
    await put(account, contact);
    expect((await put(account, { phone: '1144445555' })).body).toMatchObject({
      ...contact,
      phone: '1144445555',
    });
    expect((await put(account, { mobilePhone: null, additionalEmails: null })).body).toMatchObject({
      phone: '1144445555',
      mobilePhone: null,
      additionalEmails: null,
    });
  });

  test.each([
    { phone: '123' },
    { mobilePhone: 'nope' },
    { additionalEmails: 'a@example.com;b@example.com' },
    { additionalEmails: 'a@example.com,' },
    { additionalEmails: ['a@example.com'] },
    { fax: '1133334444' },
  ])('FIN-03 %j is rejected', async (body) => {
    const account = await fixture.account();
    const before = await get(account);
    expect((await put(account, body)).status).toBe(422);
    expect(await get(account)).toEqual(before);
  });
});

test('changes are in the audit log, including the tax id', async () => {
  const account = await fixture.account();
  await put(account, { phone: '1133334444' });
  const { body } = await account.admin.client.list('/audit', undefined, { page: '1' });
  const actions = body.data.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['financial.activate', 'financial.update']));
});

test('no account sees the financial account of another', async () => {
  const [one, other] = [await fixture.account(), await fixture.account({ isActive: false })];
  expect(await get(one)).toMatchObject({ cpfCnpj: cpf });
  expect(await get(other)).toMatchObject({ cpfCnpj: null, status: 'PENDING' });
});
