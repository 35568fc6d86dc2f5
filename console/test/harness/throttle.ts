import type { Page } from 'playwright-core';

/** What Chromium's developer tools call "Fast 3G": 1.6 and 0.75 Mbit/s and 150 ms, with the factors they apply to them. */
const network = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: ((1.6 * 1000 * 1000) / 8) * 0.9,
  uploadThroughput: ((750 * 1000) / 8) * 0.9,
};
const processorSlowdown = 4;

/** From now on the page has a slow network and a slow processor. */
export async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
}

export interface Interactive {
  /** When what was waited for was shown, in milliseconds since the page was asked for. */
  shownMs: number;
  /** When it also answered at once: the end of the last task over 50 ms. */
  interactiveMs: number;
  /** Bytes that came over the network, headers included. */
  bytes: number;
  requests: number;
}

const quietMs = 2_000;

/** Opens an address afresh and tells when the page shows what is waited for and no long task follows any more. */
export async function timeToInteractive(page: Page, address: string, shown: string): Promise<Interactive> {
  await page.addInitScript(watch, { shown });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let [bytes, requests] = [0, 0];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.goto(address, { waitUntil: 'commit', timeout: 60_000 });
  const told = await page
    .waitForFunction(
      (quiet) => {
        const seen = (globalThis as unknown as { seen: Seen }).seen;
        const lastMs = Math.max(seen.shownMs ?? Number.POSITIVE_INFINITY, seen.busyUntilMs);
        return performance.now() - lastMs > quiet ? { ...seen, lastMs } : false;
      },
      quietMs,
      { timeout: 120_000, polling: 200 },
    )
    .then((handle) => handle.jsonValue());
  if (told === false || told.shownMs === undefined) throw new Error(`${address} did not show ${shown}.`);
  return { shownMs: told.shownMs, interactiveMs: told.lastMs, bytes, requests };
}

interface Seen {
  shownMs: number | undefined;
  busyUntilMs: number;
}

/** Runs in the page, before anything else. */
function watch({ shown }: { shown: string }): void {
  const seen: Seen = { shownMs: undefined, busyUntilMs: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.busyUntilMs = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });
  const look = (): void => {
    if (!document.querySelector(shown)) return void requestAnimationFrame(look);
    // It is on the screen with the next frame.
    requestAnimationFrame(() => {
      seen.shownMs = performance.now();
    });
  };
  requestAnimationFrame(look);
}
