import { createWebhookSender, type WebhookSenderOptions } from '../../../src/adapters/webhooks/index.ts';
import { runWebhooks } from '../../../src/contexts/webhooks/index.ts';
import type { TestDatabase } from '../database.ts';
import type { Person } from '../people.ts';
import { type Platform, startPlatform } from '../platform.ts';
import { until } from '../until.ts';

/** An API with the webhook deliveries of the worker. */
export interface WebhookPlatform extends Platform {
  /** Stops deliveries, as when the worker is down. */
  pause(): Promise<void>;
  resume(): void;
  advance(seconds: number): void;
  /** Resolves when no event or delivery is due. */
  untilIdle(): Promise<void>;
}

export async function startWebhookPlatform(
  settings: Record<string, string> = {},
  senderOptions: Partial<WebhookSenderOptions> = {},
): Promise<WebhookPlatform> {
  const platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000',
    WEBHOOK_HOST_RATE: '10000',
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
      { ...api.base, ...api.money, clock, sender, hostLimit: api.app.hostLimit, onError: () => undefined },
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
    advance: (seconds) => clock.advance(seconds),
    untilIdle: () => quiet(database, () => clock.now()),
    async close() {
      await pause();
      await sender.close();
      await platform.close();
    },
  };
}

const quiet = async ({ query }: TestDatabase, now: () => Date): Promise<void> => {
  const isQuiet = async (): Promise<boolean> => {
    const [left] = await query(
      `select from event_outbox union all
       select from delivery_queue where due_at <= $1 union all
       select from pgboss.job where name = 'webhooks.replay' and state <= 'active' and start_after <= now() limit 1`,
      [now()],
    );
    return left === undefined;
  };
  // Twice: an event that was numbered between reading the clock and executing the query has a later time.
  await until(async () => (await isQuiet()) && (await isQuiet()), 'all deliveries are done');
};

/** Adds an integration of this user that subscribes to these event types. */
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
  if (saved.status !== 200)
    throw new Error(`Creating the integration returned ${saved.status}: ${saved.text}`);
  const { body } = await person.client.get(`/integrations/${saved.body.id}/secret`);
  return { id: saved.body.id, secret: body.secret };
}
