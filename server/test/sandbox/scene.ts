import { randomUUID } from 'node:crypto';
import type { GatewayPayment, PaymentGateway, PaymentRequest } from '../../src/contexts/charges/index.ts';
import { type ChangePaymentDeps, changePayment } from '../../src/contexts/sandbox/change-payment.ts';
import { createSandboxGateway } from '../../src/contexts/sandbox/index.ts';
import { type Notification, signatureHeader, signatureOf } from '../../src/contexts/sandbox/notification.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { openJobQueue } from '../../src/platform/jobs.ts';
import { createKeyRing, type KeyRing } from '../../src/platform/keyring.ts';
import { createClock, type MovableClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

export interface SandboxScene {
  deps: ChangePaymentDeps & { clock: MovableClock; keyRing: KeyRing };
  database: TestDatabase;
  gateway: PaymentGateway;
  /** A new payment. */
  make(more?: Partial<PaymentRequest>): Promise<GatewayPayment>;
  change: (
    id: string,
    ...rest: Tail<Tail<Parameters<typeof changePayment>>>
  ) => ReturnType<typeof changePayment>;
  /** Lets the due date pass. */
  overdue(id: string): Promise<void>;
  /** The newest notification about a payment, as it is sent. */
  notification(id: string): Promise<{ headers: Record<string, string>; body: Notification }>;
  stop(): Promise<void>;
}

type Tail<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

/** The sandbox on a database of its own, without the API around it. */
export async function startSandbox(): Promise<SandboxScene> {
  const database = await cloneDatabase();
  const options = { poolSize: 10, applicationName: 'sandbox-test', statementTimeoutMs: 5_000 };
  const db = openDatabase({ url: database.serviceUrl, ...options }, () => undefined);
  const jobs = await openJobQueue(db, () => undefined);
  const keyRing = createKeyRing([{ id: 'k1', secret: Buffer.alloc(32, 1) }]);
  const deps = { db, jobs, keyRing, clock: createClock() };
  const gateway = createSandboxGateway({ ...deps, publicUrl: 'https://pay.disca.test' });
  return {
    deps,
    database,
    gateway,
    make: (more) => gateway.ensurePayment({ ...paymentRequest(deps.clock.now()), ...more }),
    change: (id, ...rest) => changePayment(deps, id, ...rest),
    async overdue(id) {
      await database.query('update sandbox_payments set due_date = current_date - 2 where id = $1', [id]);
    },
    async notification(id) {
      const body = (await queuedEvents(database, id)).at(-1);
      if (!body) throw new Error(`Nothing was reported about ${id}.`);
      return { headers: { [signatureHeader]: signatureOf(deps, body) }, body };
    },
    async stop() {
      await jobs.close();
      await db.close();
      await database.drop();
    },
  };
}

export const dayAhead = (at: Date, days: number): string =>
  new Date(at.getTime() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);

const paymentRequest = (at: Date): PaymentRequest => ({
  reference: randomUUID(),
  customerId: undefined,
  method: 'PIX',
  totalMicros: 150_000_000,
  dueDate: dayAhead(at, 3),
  description: 'Crédito de telefonia',
});

/** What is queued to be told about a payment, in the order in which it will be. */
export async function queuedEvents(database: TestDatabase, paymentId: string): Promise<Notification[]> {
  const jobs = await database.query<{ data: { events: Notification[] } }>(
    `select data from pgboss.job where name = 'sandbox.notify' and data->>'paymentId' = $1 order by created_on, id`,
    [paymentId],
  );
  return jobs.flatMap(({ data }) => data.events);
}
