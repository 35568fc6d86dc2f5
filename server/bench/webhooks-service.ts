import { fork } from 'node:child_process';
import { createWebhookSender } from '../src/adapters/webhooks/index.ts';
import { deliverWebhooks } from '../src/contexts/webhooks/delivery/deliver-webhooks.ts';
import { firstQueue } from '../src/contexts/webhooks/delivery/webhook.queues.ts';
import type { DeliverDeps, SendResult } from '../src/contexts/webhooks/index.ts';
import { createInstruments } from '../src/main/observe/instruments.ts';
import { createObserver } from '../src/main/observe/observer.ts';
import { createKeyRing } from '../src/platform/keyring.ts';
import { createMetrics } from '../src/platform/telemetry/metrics.ts';
import { noTracing } from '../src/platform/telemetry/tracing.ts';
import { systemClock } from '../src/platform/time.ts';
import { type LedgerDatabase, openLedgerDatabase } from './ledger-database.ts';

export interface WebhookService extends LedgerDatabase {
  deps: DeliverDeps;
  /** Called after every completed request. */
  onSent(listener: (result: SendResult) => void): void;
}

export const benchKeyRing = createKeyRing([{ id: 'bench', secret: Buffer.alloc(32, 1) }]);

/** Runs the webhook jobs of the worker on a fresh database. */
export async function openWebhookService(ownerUrl: string, poolSize: number): Promise<WebhookService> {
  const database = await openLedgerDatabase(ownerUrl, poolSize);
  const onError = (error: unknown) => console.error(error);
  const sender = createWebhookSender({ allowedNetworks: ['127.0.0.0/8'] });
  let onResult = (_result: SendResult): void => undefined;
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
      sender: {
        close: () => sender.close(),
        async send(request) {
          const result = await sender.send(request);
          onResult(result);
          return result;
        },
      },
    },
    onSent(listener) {
      onResult = listener;
    },
    async close() {
      await sender.close();
      await database.close();
    },
  };
}

/** Makes first attempts until none is due. Returns the duration in seconds, including the last write. */
export async function deliverAll(
  service: WebhookService,
  count: number,
  sideBySide: number,
): Promise<number> {
  const stopping = new AbortController();
  let sent = 0;
  service.onSent(() => {
    sent += 1;
    if (sent === count) stopping.abort();
  });
  const startedAtMs = performance.now();
  await deliverWebhooks(service.deps, firstQueue, sideBySide, stopping.signal);
  return (performance.now() - startedAtMs) / 1000;
}

export interface BenchReceiver {
  origin: string;
  /** Returns the age of each webhook on arrival, in milliseconds, since the last call. */
  takeAges(): Promise<number[]>;
  stop(): void;
}

/** Starts the receiver in a separate process. */
export async function startBenchReceiver(): Promise<BenchReceiver> {
  const child = fork(new URL('webhooks-receiver.ts', import.meta.url));
  const answer = <T>(): Promise<T> => new Promise((resolve) => child.once('message', resolve as () => void));
  const { port } = await answer<{ port: number }>();
  return {
    origin: `http://127.0.0.1:${port}`,
    async takeAges() {
      child.send('take');
      return (await answer<{ ages: number[] }>()).ages;
    },
    stop: () => child.disconnect(),
  };
}
