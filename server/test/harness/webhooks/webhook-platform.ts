import { createWebhookSender, type WebhookSenderOptions } from '../../../src/adapters/webhooks/index.ts';
import { runWebhooks } from '../../../src/contexts/webhooks/index.ts';
import type { TestDatabase } from '../database.ts';
import type { Person } from '../people.ts';
import { type Platform, startPlatform } from '../platform.ts';
import { until } from '../until.ts';

/** An API with the part of the worker that tells others what happened. */
export interface WebhookPlatform extends Platform {
  /** Stops telling, as when the worker is down. */
  pause(): Promise<void>;
  resume(): void;
  /** Lets time pass for what waits: the clock and the jobs of webhooks. */
  elapse(seconds: number): Promise<void>;
  /** Resolves when everything that happened was told to whoever is to be told now. */
  quiet(): Promise<void>;
}

export async function startWebhookPlatform(
  settings: Record<string, string> = {},
  senderOptions: Partial<WebhookSenderOptions> = {},
): Promise<WebhookPlatform> {
  const platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...settings,
  });
  const { api, clock, config, database } = platform;
  const sender = createWebhookSender({
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
    ...senderOptions,
  });
  let stopping = new AbortController();
  let running = Promise.resolve();
  const resume = (): void => {
    stopping = new AbortController();
    running = runWebhooks(
      { ...api.base, ...api.money, clock, sender, onError: () => undefined },
      stopping.signal,
    );
  };
  const pause = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  resume();
  return {
    ...platform,
    pause,
    resume,
    async elapse(seconds) {
      clock.advance(seconds);
      // A job waits by the clock of the database, which stands still here; a delivery says when it is due by ours.
      await database.query(
        `update pgboss.job j set start_after = now() from deliveries d
          where j.name like 'webhooks.%' and j.state < 'active' and j.start_after > now()
            and d.id = (j.data->>'deliveryId')::uuid and d.next_attempt_at <= $1`,
        [clock.now()],
      );
    },
    quiet: () => quiet(database),
    async close() {
      await pause();
      await sender.close();
      await platform.close();
    },
  };
}

const quiet = async ({ query }: TestDatabase): Promise<void> => {
  await until(async () => {
    const [left] = await query(
      `select from events where account_sequence is null union all
       select from pgboss.job
        where name like 'webhooks.%' and state <= 'active' and start_after <= now() limit 1`,
    );
    return left === undefined;
  }, 'everything was told');
};

/** An integration of this person that is told of these. */
export async function addIntegration(
  person: Person,
  url: string,
  webhookTypes: string[] = ['channel-answer', 'channel-hangup'],
  changes: { gateway?: string; webhookConstraint?: object; webhookVersion?: string } = {},
): Promise<{ id: number; secret: string }> {
  const { gateway = 'crm', webhookConstraint = {}, ...metadata } = changes;
  const saved = await person.client.patch('/integrations', {
    gateway,
    webhook: true,
    webhookConstraint,
    metadata: { webhookUrl: url, webhookTypes, ...metadata },
  });
  if (saved.status !== 200) throw new Error(`The integration was answered ${saved.status}: ${saved.text}`);
  const { body } = await person.client.get(`/integrations/${saved.body.id}/secret`);
  return { id: saved.body.id, secret: body.secret };
}
