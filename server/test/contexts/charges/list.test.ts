import { afterAll, beforeAll, expect, test } from 'vitest';
import { parsePixCode } from '../../adapters/payments/pix-code.ts';
import { cancel, create, read, runDueChecks } from '../../harness/fixtures/charges.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
const ids: number[] = [];

/** Five charges of 10, 20, … reais: the first is refunded, the second received, the last is open. */
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000', CHARGE_FEE: '2.5' });
  account = await createAccount(platform);
  for (const [index, paymentMethod] of ['BOLETO', 'PIX', 'CREDIT_CARD', 'UNDEFINED', 'PIX'].entries()) {
    const { id } = await create(platform, account, {
      amount: 10 * (index + 1),
      paymentMethod,
      description: `Recarga ${index + 1}`,
    });
    ids.push(id);
    if (index < 2) await pay(id);
    else if (index < 4) await cancel(account, id);
    platform.clock.advance(60);
  }
  await account.admin.client.post(`/sandbox/charges/${ids[0]}/refund`, { notifications: 0 });
  platform.clock.advance(86_400);
  await runDueChecks(platform);
});
afterAll(() => platform.close());

async function pay(id: number): Promise<void> {
  await account.admin.client.post(`/sandbox/charges/${id}/pay`, { notifications: 0 });
  platform.clock.advance(600);
  await runDueChecks(platform);
}

const list = (filter?: object, query: Record<string, string> = { page: '1' }) =>
  account.admin.client.list('/charges', filter, query);
const listIds = async (filter?: object, query?: Record<string, string>) =>
  (await list(filter, query)).body.data.map(({ id }: { id: number }) => id);

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const wholeCharge = {
  id: expect.any(Number),
  userId: expect.any(Number),
  organizationId: expect.any(Number),
  amount: expect.any(Number),
  totalAmount: expect.any(Number),
  gateway: 'sandbox',
  type: 'CREDIT',
  paymentMethod: expect.any(String),
  paymentId: expect.any(String),
  paymentLink: expect.any(String),
  description: expect.any(String),
  status: expect.any(String),
  dueDate: time,
  statusUpdatedAt: time,
  createdAt: time,
  metadata: {},
  invoiceId: expect.any(String),
  invoiceLink: expect.any(String),
  taxAmount: 2.5,
  hasErpInvoice: false,
};

test('CHARGE-02 CHARGE-08 lists charges with exactly all fields, newest first, with meta', async () => {
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['data', 'meta']);
  expect(body.meta).toEqual({
    totalItemCount: 5,
    totalPageCount: 1,
    itemsPerPage: expect.any(Number),
    currentPage: 1,
  });
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([...ids].reverse());
  const [open, undecided, card, received, refunded] = body.data;
  const unpaid = { paidAt: null, refundedAt: null, receivedAt: null };
  expect(open).toEqual({ ...wholeCharge, ...unpaid, status: 'PENDING', paymentCode: null });
  expect(undecided).toEqual({
    ...wholeCharge,
    ...unpaid,
    status: 'CANCELED',
    paymentCode: expect.stringMatching(/^\d{47}$/),
  });
  expect(card).toEqual({ ...wholeCharge, ...unpaid, status: 'CANCELED', paymentCode: null });
  expect(received).toEqual({
    ...wholeCharge,
    status: 'RECEIVED',
    paymentCode: null,
    paidAt: time,
    receivedAt: time,
    refundedAt: null,
  });
  expect(refunded).toEqual({
    ...wholeCharge,
    status: 'REFUNDED',
    paymentCode: expect.stringMatching(/^\d{47}$/),
    paidAt: time,
    receivedAt: time,
    refundedAt: time,
  });
});

test('CHARGE-02 CHARGE-09 a cancellation returns exactly the fields of the list', async () => {
  const [, , id] = ids;
  const { body } = await cancel(account, id ?? 0);
  expect(body).toEqual((await list({ where: { id } })).body.data[0]);
});

test('CHARGE-08 ERR-05 requires a page', async () => {
  const { status, body } = await list(undefined, {});
  expect(status).toBe(422);
  expect(body.error).toMatchObject({
    errorCode: 'VALIDATION_ERROR',
    details: [{ path: 'page', code: 'required' }],
  });
});

test('CHARGE-08 pages and filters', async () => {
  const { body } = await list({ limit: 2 }, { page: '2' });
  expect(body.meta).toEqual({
    totalItemCount: 5,
    totalPageCount: 3,
    itemsPerPage: 2,
    currentPage: 2,
    nextPage: 3,
    previousPage: 1,
  });
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[1]]);
  expect(await listIds({ where: { status: 'CANCELED' } })).toEqual([ids[3], ids[2]]);
  expect(await listIds({ where: { amount: { gte: 40 } }, order: 'amount ASC' })).toEqual([ids[3], ids[4]]);
  expect(await listIds({ where: { totalAmount: 22.5 } })).toEqual([ids[1]]);
  expect(await listIds({ where: { description: { like: '%ga 5' } } })).toEqual([ids[4]]);
  expect(await listIds({ where: { paidAt: null, paymentMethod: 'PIX' } })).toEqual([ids[4]]);
  expect((await list({ where: { credited: 1 } })).status).toBe(400);
});

test('bug: LIST-01 CHARGE-08 filters and orders by every field of the record', async () => {
  const [charge] = (await list({ where: { id: ids[1] } })).body.data;
  for (const [field, value] of Object.entries(charge)) {
    const found = await list({ where: { [field]: value }, limit: 100 });
    expect([found.status, found.body.data?.map(({ id }: { id: number }) => id)], field).toEqual([
      200,
      expect.arrayContaining([ids[1]]),
    ]);
    if (field === 'metadata') continue;
    const up = await listIds({ order: `${field} ASC` });
    expect(up.toSorted(), field).toEqual(ids.toSorted());
    expect(await listIds({ order: `${field} DESC` }), field).toEqual(up.toReversed());
  }
  expect(await listIds({ where: { organizationId: 1_000_000_000 } })).toEqual([]);
  expect(await listIds({ where: { hasErpInvoice: true } })).toEqual([]);
  expect(await listIds({ where: { 'metadata.deal': 'D-1' } })).toEqual([]);
  expect(await listIds({ where: { 'metadata.deal': { exists: false } } })).toHaveLength(5);
});

test('LIST-24 CHARGE-26 a due date is a day in Sao Paulo, in every time zone of the account', async () => {
  const [{ dueDate, id }] = (await list({ limit: 1 })).body.data;
  const date = dueDate.slice(0, 10);
  for (const timezone of ['Pacific/Kiritimati', 'America/Manaus', 'America/Sao_Paulo']) {
    await account.admin.client.patch('/accounts', { timezone });
    expect(await listIds({ where: { dueDate: date } }), timezone).toContain(id);
    expect(await listIds({ where: { dueDate: { lt: date } } }), timezone).not.toContain(id);
  }
  expect(await listIds({ where: { dueDate } })).toContain(id);
});

test('CHARGE-08 lists no charge of another account', async () => {
  const other = await createAccount(platform);
  const { body } = await other.admin.client.list('/charges', undefined, { page: '1' });
  expect(body).toMatchObject({ data: [], meta: { totalItemCount: 0 } });
});

test('CHARGE-23 CHARGE-28 returns one charge with all fields; unknown and foreign ones return 404', async () => {
  const [, id] = ids;
  const [listed] = (await list({ where: { id } })).body.data;
  expect(await read(account, id ?? 0)).toEqual({ ...listed, retainedAmount: 0, retainedUntil: null });
  const other = await createAccount(platform);
  for (const answer of [
    await account.admin.client.get('/charges/999999999'),
    await account.admin.client.get('/charges/nonsense'),
    await other.admin.client.get(`/charges/${id}`),
    await other.admin.client.get(`/charges/${id}/pix`),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { error: { errorCode: 'NOT_FOUND' } } });
  }
});

test('CHARGE-27 returns a Pix code with the total of the charge, and its image', async () => {
  const { status, body } = await account.admin.client.get(`/charges/${ids[4]}/pix`);
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['code', 'expiresAt', 'image']);
  expect(parsePixCode(body.code)).toMatchObject({ '53': '986', '54': '52.50', '58': 'BR' });
  expect(body.image).toMatch(/^data:image\/png;base64,/);
  const image = Buffer.from(body.image.split(',')[1], 'base64');
  expect(image.subarray(1, 4).toString('latin1')).toBe('PNG');
});
