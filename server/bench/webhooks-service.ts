import { createWebhookSender } from '../src/adapters/webhooks/index.ts';
import type { DeliverDeps } from '../src/contexts/webhooks/index.ts';
import { createInstruments } from '../src/main/observe/instruments.ts';
import { createObserver } from '../src/main/observe/observer.ts';
import { createKeyRing } from '../src/platform/keyring.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';
import { noTracing } from '../src/platform/telemetry/tracing.ts';
import { systemClock } from '../src/platform/time.ts';
import { type LedgerDatabase, openLedgerDatabase } from './ledger-database.ts';

export interface WebhookService extends LedgerDatabase {
  deps: DeliverDeps;
}

const secret = Buffer.alloc(32, 1);
export const benchKeyRing = createKeyRing([{ id: 'bench', secret }]);
/** The same key ring as a setting of the programs. */
export const benchKeySetting = `bench:${secret.toString('base64')}`;

/** Runs the webhook jobs of the worker on a fresh database. */
export async function openWebhookService(ownerUrl: string, poolSize: number): Promise<WebhookService> {
  const database = await openLedgerDatabase(ownerUrl, poolSize);
  const onError = (error: unknown) => console.error(error);
  const sender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] });
  return {
    ...database,
    deps: {
      db: database.db,
      clock: systemClock,
      keyRing: benchKeyRing,
      publicUrl: 'http://api.disca.test',
      consoleUrl: 'http://console.disca.test',
      queueMail: async () => undefined,
      onError,
      observer: createObserver(createInstruments(createMetrics('worker'), 'worker'), noTracing),
      sender,
      // Measures the worker, not the limit of one host.
      hostLimit: { admit: async () => 0 },
    },
    async close() {
      await sender.close();
      await database.close();
    },
  };
}
