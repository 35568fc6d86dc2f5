import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { expireHolds } from '../../src/contexts/billing/settle-call.ts';
import { addDeck, giveCredit } from '../billing/scene.ts';
import {
  apiKey,
  check,
  dayAhead,
  doSyncJobs,
  type LiveScene,
  startLive,
  webhookToken,
} from '../charges/scene.ts';
import { testSettings } from '../harness/platform.ts';
import { boundariesOf, killAt } from './money-killing.ts';
import { type Operation, type OperationDeps, operations, type Victim } from './money-operations.ts';
import type { Doomed } from './money-victim.ts';

export interface MoneyScene extends LiveScene {
  /** Accounts for which the operation comes next. */
  prepare(operation: Operation, count: number): Promise<Victim[]>;
  /** What the operation crosses, as its second time in a process: the first fills caches. */
  boundaries(operation: Operation): Promise<string[]>;
  /** Kills processes so that each of the operations is cut short at its boundary. */
  kill(doomed: Doomed[]): Promise<void>;
  /** Somebody who did not die does the operation. */
  repeat(operation: Operation, victims: Victim[]): Promise<void>;
  /** What the worker does by itself within half a minute: dead jobs again, and what is due. */
  recover(): Promise<void>;
}

/** Each stopped operation holds a connection. */
const mostAtOnce = 30;

export async function startMoney(): Promise<MoneyScene> {
  const scene = await startLive({ STATEMENT_TIMEOUT_MS: '20000' });
  const { platform, asaas } = scene;
  await addDeck(platform, [{ prefix: '55', price: 0.3 }]);
  const customerId = await makeCustomer(scene);
  const deps: OperationDeps = { ...platform.api.app, boss: noBoss };
  const settings = {
    ...testSettings(platform.database.serviceUrl, inject('redisUrl')),
    DATABASE_POOL_SIZE: String(mostAtOnce + 10),
    ASAAS_URL: asaas.url,
    ASAAS_API_KEY: apiKey,
    ASAAS_WEBHOOK_TOKEN: webhookToken,
    LOG_LEVEL: 'fatal',
  };
  const order = (operation: Operation, whole: Victim[]) => ({
    settings,
    aheadMs: platform.clock.now().getTime() - Date.now(),
    whole: whole.map((victim) => ({ operation, victim })),
  });

  const self: MoneyScene = {
    ...scene,

    async prepare(operation, count) {
      const dueDate = dayAhead(platform, 3);
      const ids = await insertAccounts(scene, count, customerId);
      const victims = ids.map((accountId) => ({
        accountId,
        key: randomUUID(),
        dueDate,
        chargeId: 0,
        paymentId: '',
      }));
      for (const victim of victims) await lead(scene, deps, operation, victim);
      return victims;
    },

    async boundaries(operation) {
      const [, counted] = await boundariesOf(order(operation, await self.prepare(operation, 2)));
      return counted ?? [];
    },

    async kill(doomed) {
      for (let from = 0; from < doomed.length; from += mostAtOnce) {
        const batch = doomed.slice(from, from + mostAtOnce);
        const [first] = batch;
        if (!first) return;
        await killAt(platform, order(first.operation, await self.prepare(first.operation, 1)), batch);
      }
    },

    async repeat(operation, victims) {
      for (const victim of victims) await operations[operation](deps, victim);
    },

    async recover() {
      await platform.database.query(
        `update pgboss.job set state = 'created' where state = 'active' and name = 'charges.read-payment'`,
      );
      await doSyncJobs(platform);
      await check(platform);
      await expireHolds(platform.api.app, AbortSignal.timeout(60_000));
    },
  };
  return self;
}

const noBoss: OperationDeps['boss'] = {
  fetch: () => Promise.reject(new Error('Only victims work on the queue.')),
  complete: () => Promise.reject(new Error('Only victims work on the queue.')),
};

async function makeCustomer({ platform }: LiveScene): Promise<string> {
  const { customerId } = await platform.api.money.gateways.of('live').ensureCustomer({
    reference: randomUUID(),
    name: 'Empresa',
    cpfCnpj: '52998224725',
    email: 'ana@empresa.test',
    phone: null,
    mobilePhone: null,
    additionalEmails: null,
  });
  return customerId;
}

/** Live accounts with an ADMIN and an ACTIVE financial account, written by the owner of the database. */
async function insertAccounts({ platform }: LiveScene, count: number, customerId: string): Promise<number[]> {
  const rows = await platform.database.query<{ id: string }>(
    `with fresh as (
       insert into accounts (uuid, domain, name, email, phone, crm, user_quantity, status, mode, created_at, updated_at)
       select uuid, uuid || '.disca.test', 'Empresa', 'ana@empresa.test', '5511987654321', 'Outros', '1-5',
              'active', 'live', now(), now()
         from (select gen_random_uuid() as uuid from generate_series(1, $1)) ids
       returning id, uuid),
     people as (
       insert into users (uuid, account_id, name, email, phone, role, locale, email_verified, password_hash,
                          password_changed_at, created_at, updated_at)
       select uuid, id, 'Ana', uuid || '@empresa.test', '5511987654321', 'ADMIN', 'pt-BR', true, '', now(), now(), now()
         from fresh),
     financial as (
       insert into financial_accounts (account_id, book, status, cpf_cnpj, customer_id, created_at, updated_at)
       select id, 'live', 'ACTIVE', '52998224725', $2, now(), now() from fresh)
     select id from fresh order by id`,
    [count, customerId],
  );
  return rows.map(({ id }) => Number(id));
}

/** Brings a victim to where the operation comes next. */
async function lead(
  { platform, asaas }: LiveScene,
  deps: OperationDeps,
  operation: Operation,
  victim: Victim,
): Promise<void> {
  if (operation === 'create') return;
  if (operation === 'hold' || operation === 'renew' || operation === 'settle') {
    await giveCredit(platform, victim.accountId, 10);
    if (operation !== 'hold') await operations.hold(deps, victim);
    return;
  }
  const { shown } = await operations.create(deps, victim);
  victim.chargeId = shown.id;
  victim.paymentId = shown.paymentId;
  if (operation === 'cancel') return;
  asaas.pay(victim.paymentId);
  if (operation === 'report') return;
  await operations.report(deps, victim);
  if (operation === 'confirm') return;
  await doSyncJobs(platform);
  asaas.refund(victim.paymentId);
  await operations.report(deps, victim);
}
