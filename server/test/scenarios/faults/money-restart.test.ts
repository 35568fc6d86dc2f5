import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MoneyFaultFixture, startMoneyFaultFixture } from '../../harness/fixtures/money-faults.ts';

let fixture: MoneyFaultFixture;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  fixture = await startMoneyFaultFixture();
});
afterAll(async () => {
  await end();
  await fixture.stop();
});

const script = fileURLToPath(new URL('../../../src/main/worker.ts', import.meta.url));

function startWorker(): void {
  const env = { ...process.env, ...fixture.settings, DATABASE_POOL_SIZE: '10', OPS_PORT: '0' };
  worker = fork(script, { execArgv: [], env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function end(): Promise<void> {
  if (!worker) return;
  const ended = once(worker, 'exit');
  worker.kill('SIGKILL');
  await ended;
  worker = undefined;
}

async function until(isTrue: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const start = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - start > timeoutMs) throw new Error(`It did not happen within ${timeoutMs} ms.`);
    await wait(100);
  }
}

const thereIs = async (text: string, values: unknown[]) =>
  (await fixture.platform.database.query(text, values)).length > 0;

test('work of dead processes is completed soon after a restart', async () => {
  const { asaas, platform } = fixture;
  // A process died while it was creating a payment, which exists at the gateway.
  const [whole, maker] = await fixture.prepare('create', 2);
  if (!whole || !maker) throw new Error('There are no accounts.');
  const stopAt = (await fixture.boundaries('create')).findIndex((each) => each.startsWith('POST ')) + 1;
  await fixture.kill(whole, [{ operation: 'create', target: maker, stopAt, moment: 'after' }]);
  // The worker is killed while it reads a payment to credit it.
  const [paid] = await fixture.prepare('confirm', 1);
  if (!paid) throw new Error('There are no accounts.');
  const asked = new Promise<void>((resolve) => asaas.meanwhile(`GET /payments/${paid.paymentId}`, resolve));
  asaas.fault('silence', { on: `GET /payments/${paid.paymentId}` });
  startWorker();
  await asked;
  await end();
  expect(
    await thereIs(`select from pgboss.job where name = 'charges.read-payment' and state = 'active'`, []),
  ).toBe(true);

  startWorker();
  const isCredited = 'select from ledger_transactions where account_id = $1';
  const isMade = 'select from charges where account_id = $1 and payment_id is not null';
  // Their jobs are noticed by their heartbeats, long before they expire.
  await until(
    async () => (await thereIs(isCredited, [paid.accountId])) && (await thereIs(isMade, [maker.accountId])),
    120_000,
  );
  const [charge] = await platform.database.query<{ reference: string }>(
    'select reference from charges where account_id = $1',
    [maker.accountId],
  );
  const made = asaas.payments().filter(({ externalReference }) => externalReference === charge?.reference);
  expect(made).toHaveLength(1);
});
