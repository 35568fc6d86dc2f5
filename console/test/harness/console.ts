import type { Browser } from 'playwright-core';
import { inject } from 'vitest';
import { password } from '../../../server/test/harness/people.ts';
import { type Platform, startPlatform } from '../../../server/test/harness/platform.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import {
  closeContexts,
  inTime,
  nothing,
  openView,
  sharedBrowser,
  type View,
  type ViewOptions,
} from './browser.ts';

export interface TestConsole {
  platform: Platform;
  browser: Browser;
  baseUrl: string;
  /** A new browser context, logged out. */
  view(options?: ViewOptions): Promise<View>;
  /** A new browser context, logged in as the user with this email, at the path. */
  viewAs(person: { email: string }, path?: string, options?: ViewOptions): Promise<View>;
  close(): Promise<void>;
}

/**
 * Starts the API with its console on a real port, and a browser. Rate limits are off unless the settings enable them.
 * Passkeys need a host name, such as localhost.
 */
export async function startConsole(
  settings: Record<string, string> = {},
  overrides: Parameters<typeof startPlatform>[1] = {},
  host = '127.0.0.1',
  given?: number,
): Promise<TestConsole> {
  const port = given ?? (await freePort());
  const baseUrl = `http://${host}:${port}`;
  const platform = await startPlatform({ ...consoleSettings(baseUrl), ...settings }, overrides);
  await platform.listen(port);
  const browser = await sharedBrowser();
  return {
    platform,
    browser,
    baseUrl,
    view: (options) => openView(browser, baseUrl, options),
    viewAs: (person, path = '/', options) => openViewAs(browser, baseUrl, person, path, options),
    async close() {
      await closeContexts(browser);
      await platform.close();
    },
  };
}

/** Settings for platforms that are started elsewhere, such as the one with voice. */
export const consoleSettings = (baseUrl: string): Record<string, string> => ({
  PUBLIC_URL: baseUrl,
  CONSOLE_URL: baseUrl,
  CONSOLE_DIR: inject('consoleDir'),
  RATE_LIMIT_SCALE: '1000',
  EVENT_STREAM_SECONDS: '600',
});

export async function openViewAs(
  browser: Browser,
  baseUrl: string,
  { email }: { email: string },
  path: string,
  options: ViewOptions = {},
  prepare: (view: View) => Promise<unknown> = async () => undefined,
): Promise<View> {
  const view = await openView(browser, baseUrl, options);
  await prepare(view);
  // Requested from one of our pages: only the browser accepts a secure cookie from 127.0.0.1.
  await view.page.goto(nothing);
  const login = view.page.evaluate(
    async (credentials) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify(credentials);
      return (await fetch('/api/v1/console/session', { method: 'POST', headers, body })).status;
    },
    { email, password },
  );
  const status = await inTime(login, 'the page logs in');
  if (status !== 204) throw new Error(`Login failed with status ${status}.`);
  view.requests.length = 0;
  await view.page.goto(path);
  return view;
}
