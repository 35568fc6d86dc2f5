import { createWebhookSender } from '../../../server/src/adapters/webhooks/index.ts';
import { runWebhooks } from '../../../server/src/contexts/webhooks/index.ts';
import { eventChannel } from '../../../server/src/main/wire.ts';
import { createWaker } from '../../../server/src/platform/redis/wake.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';

/** Runs the worker: jobs, event feeds and webhooks. Returns a function that stops it. */
export async function startWorker(platform: Platform): Promise<() => Promise<void>> {
  const { api, clock, config } = platform;
  await platform.mail();
  const sender = createWebhookSender({ allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS });
  const stopping = new AbortController();
  const telling = runWebhooks(
    {
      ...api.base,
      ...api.money,
      clock,
      sender,
      hostLimit: api.app.hostLimit,
      wakeFeeds: createWaker(api.redis, eventChannel),
      onError: () => undefined,
    },
    stopping.signal,
  );
  return async () => {
    stopping.abort();
    await telling;
    await sender.close();
  };
}
