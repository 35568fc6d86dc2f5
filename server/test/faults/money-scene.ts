import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { expireHolds } from '../../src/contexts/billing/holds/settle-call.ts';
import { syncPayment } from '../../src/contexts/charges/sync-charge.ts';
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
import { moments } from './money-boundaries.ts';
import { boundariesOf, killAt } from './money-killing.ts';
import { type Operation, type OperationDeps, operations, type Victim } from './money-operations.ts';
import type { Doomed } from './money-victim.ts';

export interface MoneyScene extends LiveScene {
  /** For processes beside the platform. */
  settings: Record<string, string>;
  /** Accounts for which the operation comes next. */
  prepare(operation: Operation, count: number): Promise<Victim[]>;
  /** Cuts the operations short in one process; the first victim's is done whole. */
  kill(first: Victim, doomed: Doomed[]): Promise<void>;
  /** What the operation crosses, found out by letting it pass. */
  boundaries(operation: Operation): Promise<string[]>;
  /**
   * Kills the operation at every boundary it has, before and after, for `times` accounts each. Each process does it
   * once before, because the first time fills caches.
   */
  killEverywhere(operation: Operation, times: number): Promise<Doomed[]>;
  /** Somebody who did not die does the operation. */
  repeat(operation: Operation, victims: Victim[]): Promise<void>;
  /** What the worker does by itself within half a minute: the jobs of the dead, and what is due. */
  recover(): Promise<void>;
}

/** Each stopped operation holds a connection. */
const mostAtOnce = 50;
const preparedAtOnce = 8;

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
  const aheadMs = () => platform.clock.now().getTime() - Date.now();

  async function prepare(operation: Operation, count: number): Promise<Victim[]> {
    const dueDate = dayAhead(platform, 3);
    const ids = await insertAccounts(scene, count, customerId);
    const victims = ids.map((accountId) => ({
      accountId,
      key: randomUUID(),
      dueDate,
      chargeId: 0,
      paymentId: '',
    }));
    for (const step of stepsTo(operation)) await each(victims, (victim) => steps[step](scene, deps, victim));
    return victims;
  }

  async function countBoundaries(): Promise<Map<Operation, string[]>> {
    const whole: { operation: Operation; victim: Victim }[] = [];
    for (const operation of countingOrder) {
      for (const victim of await prepare(operation, 2)) whole.push({ operation, victim });
    }
    const found = await boundariesOf({ settings, aheadMs: aheadMs(), whole });
    await doSyncJobs(platform);
    return new Map(countingOrder.map((operation, index) => [operation, found[2 * index + 1] ?? []]));
  }
  let counted: Promise<Map<Operation, string[]>> | undefined;

  async function boundaries(operation: Operation): Promise<string[]> {
    counted ??= countBoundaries();
    return (await counted).get(operation) ?? [];
  }

  async function kill(victim: Victim, doomed: Doomed[]): Promise<void> {
    const whole = doomed.slice(0, 1).map(({ operation }) => ({ operation, victim }));
    await killAt(platform, { settings, aheadMs: aheadMs(), whole, doomed });
  }

  return {
    ...scene,
    settings,
    prepare,
    boundaries,
    kill,

    async killEverywhere(operation, times) {
      const stops = (await boundaries(operation)).flatMap((_, index) =>
        moments.flatMap((moment) => Array(times).fill({ stopAt: index + 1, moment })),
      ) as Pick<Doomed, 'stopAt' | 'moment'>[];
      const processes = Math.ceil(stops.length / mostAtOnce);
      const victims = await prepare(operation, stops.length + processes);
      const firsts = victims.splice(-processes);
      const doomed = stops.map((stop, index) => ({ operation, victim: victims[index] as Victim, ...stop }));
      for (const [index, first] of firsts.entries()) {
        await kill(first, doomed.slice(index * mostAtOnce, (index + 1) * mostAtOnce));
      }
      return doomed;
    },

    async repeat(operation, victims) {
      await each(victims, (victim) => operations[operation](deps, victim) as Promise<unknown>);
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
}

async function each<Item>(items: Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const next = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: preparedAtOnce }, next));
}

/** Those that work on the queue come first, so that they find their own jobs there and no others. */
const countingOrder: Operation[] = [
  'refund',
  'confirm',
  'create',
  'cancel',
  'hold',
  'renew',
  'settle',
  'report',
];

/** Only victims work on the queue. */
const noBoss = {} as OperationDeps['boss'];

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

/** What happens to an account before an operation comes next. */
const steps = {
  async create(_scene: LiveScene, deps: OperationDeps, victim: Victim) {
    const { shown } = await operations.create(deps, victim);
    victim.chargeId = shown.id;
    victim.paymentId = shown.paymentId;
  },
  pay: async ({ asaas }: LiveScene, _deps: OperationDeps, { paymentId }: Victim) => asaas.pay(paymentId),
  report: (_scene: LiveScene, deps: OperationDeps, victim: Victim) => operations.report(deps, victim),
  sync: ({ platform }: LiveScene, _deps: OperationDeps, { paymentId }: Victim) =>
    syncPayment(platform.api.app, 'asaas', paymentId),
  refund: async ({ asaas }: LiveScene, _deps: OperationDeps, { paymentId }: Victim) =>
    asaas.refund(paymentId),
  credit: ({ platform }: LiveScene, _deps: OperationDeps, { accountId }: Victim) =>
    giveCredit(platform, accountId, 10),
  hold: (_scene: LiveScene, deps: OperationDeps, victim: Victim) => operations.hold(deps, victim),
};

function stepsTo(operation: Operation): (keyof typeof steps)[] {
  switch (operation) {
    case 'create':
      return [];
    case 'cancel':
      return ['create'];
    case 'report':
      return ['create', 'pay'];
    case 'confirm':
      return ['create', 'pay', 'report'];
    case 'refund':
      return ['create', 'pay', 'sync', 'refund', 'report'];
    case 'hold':
      return ['credit'];
    case 'renew':
    case 'settle':
      return ['credit', 'hold'];
  }
}
