import type { JobHandlers, QueueDefinition } from '../../platform/jobs.ts';
import type { Book } from '../billing/index.ts';
import type { ChargeDeps } from './create-charge.ts';
import { syncCustomer, syncCustomerQueue } from './financial-account.ts';
import type { GatewayName } from './gateway.ts';
import { syncPaymentQueue } from './receive-notification.ts';
import { checkCharges, syncPayment } from './sync-charge.ts';

export const checkChargesQueue: QueueDefinition = {
  name: 'charges.check',
  retryLimit: 0,
  expireInSeconds: 600,
  deleteAfterSeconds: 3600,
};

export const chargeQueues: QueueDefinition[] = [syncCustomerQueue, syncPaymentQueue, checkChargesQueue];

export const chargeJobs = (deps: ChargeDeps): JobHandlers => ({
  [syncPaymentQueue.name]: (data) => {
    const { gateway, paymentId } = data as { gateway: GatewayName; paymentId: string };
    return syncPayment(deps, gateway, paymentId);
  },
  [syncCustomerQueue.name]: (data) => {
    const { accountId, book } = data as { accountId: number; book: Book };
    return syncCustomer(deps, accountId, book);
  },
  [checkChargesQueue.name]: (_data, job) => checkCharges(deps, job.signal),
});
