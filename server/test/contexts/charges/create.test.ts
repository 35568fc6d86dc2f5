import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cancel,
  chargeBody,
  create,
  dayAhead,
  freezeAtNoon,
  post,
  setClock,
} from '../../harness/fixtures/charges.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', CHARGE_FEE: '1.99' });
  account = await createAccount(platform);
  freezeAtNoon(platform);
});
afterAll(() => platform.close());

/** Creates a charge and cancels it, so that the next one can be created. */
async function accepted(changes: Record<string, unknown>) {
  const { status, body } = await post(platform, account, changes);
  if (status === 200) await cancel(account, body.id);
  return { status, body };
}

async function refused(changes: Record<string, unknown>) {
  const { status, body } = await post(platform, account, changes);
  return {
    status,
    code: body.error?.errorCode,
    paths: body.error?.details?.map((fault: { path: string }) => fault.path),
  };
}

const outOfRange = (path: string) => ({ status: 422, code: 'VALIDATION_ERROR', paths: [path] });

test('CHARGE-01 creates a charge with the values sent and returns exactly its fields', async () => {
  const sent = chargeBody(platform, { amount: 123.45, paymentMethod: 'BOLETO', description: 'Março' });
  const { status, body } = await account.admin.client.post('/charges', sent);
  expect(status).toBe(200);
  await cancel(account, body.id);
  expect(body).toEqual({
    id: expect.any(Number),
    userId: expect.any(Number),
    organizationId: account.id,
    amount: 123.45,
    totalAmount: 125.44,
    gateway: 'sandbox',
    type: 'CREDIT',
    paymentMethod: 'BOLETO',
    paymentId: expect.stringMatching(/./),
    paymentLink: expect.stringMatching(/^http/),
    description: 'Março',
    status: 'PENDING',
    dueDate: `${sent.dueDate}T03:00:00.000Z`,
    statusUpdatedAt: platform.clock.now().toISOString(),
    createdAt: platform.clock.now().toISOString(),
    metadata: {},
  });
  const [row] = await platform.database.query<{ id: string }>('select id from users where uuid = $1', [
    account.admin.uuid,
  ]);
  expect(body.userId).toBe(Number(row?.id));
});

test.each(['paymentMethod', 'dueDate', 'amount', 'description'])(
  'CHARGE-01 ERR-05 requires %s',
  async (field) => {
    expect(await refused({ [field]: undefined })).toEqual(outOfRange(field));
    expect(await refused({ [field]: null })).toEqual(outOfRange(field));
  },
);

test.each(['UNDEFINED', 'CREDIT_CARD', 'DEBIT_CARD', 'BOLETO', 'PIX'])(
  'CHARGE-03 accepts and keeps the payment method %s',
  async (paymentMethod) => {
    expect(await accepted({ paymentMethod })).toMatchObject({ status: 200, body: { paymentMethod } });
  },
);

test.each(['pix', 'CASH', '', 7, ['PIX']])(
  'CHARGE-03 rejects the payment method %j',
  async (paymentMethod) => {
    expect(await refused({ paymentMethod })).toEqual(outOfRange('paymentMethod'));
  },
);

test.each([1, 2, 6, 7])('CHARGE-04 accepts a due date %i days ahead', async (days) => {
  const dueDate = dayAhead(platform, days);
  const { status, body } = await accepted({ dueDate });
  expect(status).toBe(200);
  expect(body.dueDate).toBe(`${dueDate}T03:00:00.000Z`);
});

test.each([-365, -1, 0, 8, 30])('CHARGE-04 ERR-05 rejects a due date %i days ahead', async (days) => {
  expect(await refused({ dueDate: dayAhead(platform, days) })).toEqual(outOfRange('dueDate'));
});

test('CHARGE-04 rejects anything but a date as YYYY-MM-DD', async () => {
  const [year, month, day] = dayAhead(platform, 3).split('-');
  for (const dueDate of [
    `${day}/${month}/${year}`,
    `${year}-${month}-${day}T00:00:00Z`,
    `${year}${month}${day}`,
    '2027-02-30',
    20270101,
    '',
  ]) {
    expect(await refused({ dueDate })).toEqual(outOfRange('dueDate'));
  }
});

test('bug: CHARGE-05 an amount out of range names the exclusive bound', async () => {
  const message = async (amount: number) => (await post(platform, account, { amount })).body.error.message;
  expect(await message(5)).toBe('`amount` must be more than 5.00.');
  expect(await message(50_000)).toBe('`amount` must be less than 50,000.00.');
});

test.each([5.01, 5.02, 49_999.98, 49_999.99, '50.10'])(
  'CHARGE-05 COMPAT-03 accepts an amount of %j',
  async (amount) => {
    const { status, body } = await accepted({ amount });
    expect(status).toBe(200);
    expect(body.amount).toBe(Number(amount));
  },
);

test.each([5, 4.99, 0, -50, 50_000, 50_000.01, 1e300, '50,00', '5', 'R$ 50'])(
  'CHARGE-05 ERR-05 rejects an amount of %j',
  async (amount) => {
    expect(await refused({ amount })).toEqual(outOfRange('amount'));
  },
);

test.each([10.001, 10.999, 5.001, 49_999.991, 10.000000001])(
  'CHARGE-11 rejects the amount %d for its decimals',
  async (amount) => {
    expect(await refused({ amount })).toEqual(outOfRange('amount'));
  },
);

test('CHARGE-11 accepts every amount of two decimals, despite double rounding', async () => {
  for (const amount of [8.41, 9.95, 10.1, 19.99, 64.1, 1.1 * 10, 4096.07, 33_333.33]) {
    expect(await accepted({ amount })).toMatchObject({ status: 200, body: { amount } });
  }
});

test('CHARGE-26 returns the fee, the total including it and midnight of the due date in Sao Paulo', async () => {
  const dueDate = dayAhead(platform, 5);
  const { id } = await create(platform, account, { amount: 10.1, dueDate });
  const { body } = await cancel(account, id);
  expect(body).toMatchObject({ amount: 10.1, taxAmount: 1.99, totalAmount: 12.09 });
  expect(body.dueDate).toBe(`${dueDate}T03:00:00.000Z`);
});

test.each([
  ['before', '02:59:59.000', 1],
  ['at', '03:00:00.000', 2],
])(
  'CHARGE-10 evaluates the due date in Sao Paulo %s midnight there, when UTC is at %s',
  async (_, time, first) => {
    const start = platform.clock.now().toISOString();
    const day = (days: number) => new Date(Date.parse(start) + days * 86_400_000).toISOString().slice(0, 10);
    setClock(platform, `${day(1)}T${time}Z`);
    const statuses: number[] = [];
    for (const ahead of [first - 1, first, first + 6, first + 7]) {
      statuses.push((await accepted({ dueDate: day(ahead) })).status);
    }
    setClock(platform, start);
    expect(statuses).toEqual([422, 200, 200, 422]);
  },
);

test('CHARGE-12 a new charge of a test account is PENDING credit at the sandbox', async () => {
  expect(await accepted({})).toMatchObject({
    status: 200,
    body: { status: 'PENDING', type: 'CREDIT', gateway: 'sandbox' },
  });
});

test('rejects an unknown field and ignores a read-only one', async () => {
  expect(await refused({ amout: 10 })).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' });
  expect(await accepted({ id: 1, status: 'RECEIVED', totalAmount: 1, gateway: 'asaas' })).toMatchObject({
    status: 200,
    body: { status: 'PENDING', gateway: 'sandbox', totalAmount: 51.99 },
  });
});
