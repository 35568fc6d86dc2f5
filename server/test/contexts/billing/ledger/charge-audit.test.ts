import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import { create, type LiveFixture, startLiveFixture } from '../../../harness/fixtures/charges.ts';
import type { TestAccount } from '../../../harness/people.ts';

let fixture: LiveFixture;
let account: TestAccount;
let chargeId: number;
beforeAll(async () => {
  fixture = await startLiveFixture({ CHARGE_FEE: '2' });
  account = await fixture.account();
  const { id, paymentId } = await create(fixture.platform, account);
  chargeId = id;
  fixture.asaas.pay(paymentId);
  await fixture.deliver();
  fixture.asaas.refund(paymentId, 20);
  await fixture.deliver();
});
afterAll(() => fixture.stop());

const audit = () => auditLedger(fixture.platform.api.base);
const change = (text: string) => fixture.platform.database.query(`${text} where id = $1`, [chargeId]);

test('paid and partly refunded charges are clean', async () => {
  expect(await audit()).toEqual([]);
});

test.each([
  ['credited_micros = credited_micros - 1', 'credited_micros = credited_micros + 1', ['credit of a charge']],
  ['credited_fee_micros = 0', 'credited_fee_micros = 2000000', ['fee of a charge']],
  ['movements = 1', 'movements = 2', ['entries of a charge']],
  [`status = 'REFUNDED'`, `status = 'RECEIVED'`, ['credit of an unpaid charge']],
  [
    `book = 'test', gateway = 'sandbox'`,
    `book = 'live', gateway = 'asaas'`,
    ['credit of a charge', 'entries of a charge', 'entries of an unknown charge', 'fee of a charge'],
  ],
])('the audit finds a charge with %s', async (wrong, right, checks) => {
  await change(`update charges set ${wrong}`);
  expect((await audit()).map(({ check }) => check)).toEqual(checks);
  await change(`update charges set ${right}`);
  expect(await audit()).toEqual([]);
});

test('the audit reports the credit of a missing charge', async () => {
  await change('update charges set id = id + 1000');
  const unknown = { accountId: account.id, check: 'entries of an unknown charge', subject: String(chargeId) };
  expect(await audit()).toContainEqual({ ...unknown, expected: 0, found: 2 });
});
