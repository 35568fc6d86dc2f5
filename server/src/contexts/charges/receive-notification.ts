import { type Database, inTransaction } from '../../platform/db/database.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import type { JobQueue, QueueDefinition } from '../../platform/jobs.ts';
import { type GatewayName, GatewayRefused } from './gateway.ts';
import type { Gateways } from './gateways.ts';

export interface ReceiveDeps {
  db: Database;
  jobs: JobQueue;
  gateways: Gateways;
}

/** Deduplicated by payment, because gateways repeat notifications and limit requests. */
export const syncPaymentQueue: QueueDefinition = {
  name: 'charges.read-payment',
  policy: 'short',
  retryLimit: 20,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 60,
};

/** Responds once the notification is queued; a job reads the payment. */
export async function receiveNotification(
  deps: ReceiveDeps,
  name: string,
  headers: Record<string, string | string[] | undefined>,
  body: unknown,
): Promise<void> {
  const gateway = deps.gateways.named(name as GatewayName);
  if (!gateway) throw notFound();
  const single = Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [header, String(value)]),
  );
  const notification = read(() => gateway.readNotification(single, body));
  if (!notification) return;
  await inTransaction(deps.db, (tx) =>
    deps.jobs.enqueue(
      tx,
      syncPaymentQueue.name,
      { gateway: gateway.name, paymentId: notification.paymentId },
      { key: `${gateway.name}:${notification.paymentId}` },
    ),
  );
}

function read<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error;
    throw new Refusal('INVALID_TOKEN', 'The notification does not carry the secret of the gateway.');
  }
}
