import type { Browser } from 'playwright-core';
import {
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../../server/test/harness/webhooks/webhook-platform.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import { closeContexts, sharedBrowser, type View, type ViewOptions } from './browser.ts';
import { consoleSettings, openViewAs } from './console.ts';

/** A console whose worker delivers webhooks, including to receivers on loopback. */
export interface WebhookConsole {
  platform: WebhookPlatform;
  browser: Browser;
  viewAs(person: { email: string }, path: string, options?: ViewOptions): Promise<View>;
  close(): Promise<void>;
}

export async function startWebhookConsole(): Promise<WebhookConsole> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const platform = await startWebhookPlatform(consoleSettings(baseUrl), { timeoutMs: 5_000 });
  await platform.listen(port);
  const browser = await sharedBrowser();
  return {
    platform,
    browser,
    viewAs: (person, path, options) => openViewAs(browser, baseUrl, person, path, options),
    async close() {
      await closeContexts(browser);
      await platform.close();
    },
  };
}
