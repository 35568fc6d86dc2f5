import type { PgBoss } from 'pg-boss';
import { holdForCall, renewHold } from '../../../src/contexts/billing/index.ts';
import { cancelCharge } from '../../../src/contexts/charges/cancel-charge.ts';
import { presentCreated } from '../../../src/contexts/charges/charge.schemas.ts';
import { type ChargeDeps, createCharge } from '../../../src/contexts/charges/create-charge.ts';
import type { GatewayName } from '../../../src/contexts/charges/gateway.ts';
import {
  type ReceiveDeps,
  receiveNotification,
  syncPaymentQueue,
} from '../../../src/contexts/charges/receive-notification.ts';
import { syncPayment } from '../../../src/contexts/charges/sync-charge.ts';
import type { Caller } from '../../../src/platform/caller.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { everyPermission } from '../../../src/platform/permissions.ts';
import { holdOnce } from '../../harness/fixtures/hold-once.ts';
import { settleCall } from '../../harness/fixtures/settle-call.ts';

/** The account that an operation runs for. */
export interface TargetAccount {
  accountId: number;
  /** The idempotency key of its charge, and the id of its call. */
  key: string;
  dueDate: string;
  chargeId: number;
  paymentId: string;
}

export type OperationDeps = ChargeDeps & ReceiveDeps & { boss: Pick<PgBoss, 'fetch' | 'complete'> };

export const webhookToken = 'a-token-that-both-sides-know';
export const usedSeconds = 42;
const destination = '5511987654321';

/** Operations that move money, each as the API or the worker runs it. */
export const operations = {
  create: (deps: OperationDeps, target: TargetAccount) =>
    createCharge(deps, callerFor(target), requestFor(target), target.key, presentCreated),

  cancel: (deps: OperationDeps, target: TargetAccount) =>
    cancelCharge(deps, callerFor(target), target.chargeId),

  report(deps: OperationDeps, { paymentId }: TargetAccount) {
    const event = { id: `evt_${paymentId}`, event: 'PAYMENT_RECEIVED', payment: { id: paymentId } };
    return receiveNotification(deps, 'asaas', { 'asaas-access-token': webhookToken }, event);
  },

  /** Runs one job of any account: all jobs are equivalent. */
  async confirm(deps: OperationDeps) {
    const [job] = await deps.boss.fetch<{ gateway: GatewayName; paymentId: string }>(syncPaymentQueue.name);
    if (!job) throw new Error('No job is queued.');
    await syncPayment(deps, job.data.gateway, job.data.paymentId);
    await deps.boss.complete(syncPaymentQueue.name, job.id);
  },

  refund: (deps: OperationDeps): Promise<void> => operations.confirm(deps),

  hold: (deps: OperationDeps, { accountId, key: callId }: TargetAccount) =>
    holdOnce(() =>
      inAccount(deps.db, accountId, (tx) =>
        holdForCall(tx, deps, { accountId, callId, destination, at: deps.clock.now() }),
      ),
    ),

  renew: (deps: OperationDeps, { accountId, key: callId }: TargetAccount) =>
    inAccount(deps.db, accountId, (tx) =>
      renewHold(tx, deps, { accountId, callId, usedSeconds: 30, at: deps.clock.now() }),
    ),

  settle: (deps: OperationDeps, { accountId, key: callId }: TargetAccount) =>
    inAccount(deps.db, accountId, (tx) =>
      settleCall(tx, { accountId, callId, usedSeconds, at: deps.clock.now() }),
    ),
};

export type Operation = keyof typeof operations;

const requestFor = ({ dueDate }: TargetAccount) => ({
  paymentMethod: 'BOLETO' as const,
  dueDate,
  amountMicros: 50_000_000,
  description: 'Créditos de ligação',
});

const callerFor = ({ accountId }: TargetAccount): Caller => ({
  accountId,
  userId: accountId,
  uuid: '00000000-0000-4000-8000-000000000000',
  name: 'Ana',
  email: 'ana@empresa.test',
  phone: '5511987654321',
  role: 'ADMIN',
  locale: 'pt-BR',
  emailVerified: true,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  lastLoginAt: null,
  requestHandling: 'strict',
  tokenHash: Buffer.alloc(32),
  isService: false,
  scopes: null,
  permissions: everyPermission,
  isConsoleSession: false,
  provedAt: null,
  lacksFactor: false,
  origin: { address: '127.0.0.1', requestId: 'test' },
});
