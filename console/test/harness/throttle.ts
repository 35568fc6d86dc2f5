import type { Page } from 'playwright-core';

/** "Fast 3G" of Chromium's developer tools: 1.6 and 0.75 Mbit/s and 150 ms, with their adjustment factors. */
const network = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: ((1.6 * 1000 * 1000) / 8) * 0.9,
  uploadThroughput: ((750 * 1000) / 8) * 0.9,
};
const processorSlowdown = 4;

/** "Slow 3G" of Chromium's developer tools: 0.5 Mbit/s and 400 ms, with their adjustment factors: 400 kbit/s and 2 s. */
const slowNetwork = {
  offline: false,
  latency: 400 * 5,
  downloadThroughput: ((500 * 1000) / 8) * 0.8,
  uploadThroughput: ((500 * 1000) / 8) * 0.8,
};

/** Opens a URL on "Slow 3G" without cache, and returns after how many milliseconds its first content was painted. */
export async function timeToFirstPaint(page: Page, address: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', slowNetwork);
  await page.goto(address, { waitUntil: 'commit', timeout: 120_000 });
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? false,
  );
  return Number(await painted.jsonValue());
}

/** Throttles the network and the CPU of the page. */
export async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: processorSlowdown });
}

export interface Interactive {
  /** When the element was shown, in milliseconds since navigation. */
  shownMs: number;
  /** When the page became interactive: the end of the last task longer than 50 ms. */
  interactiveMs: number;
  /** Bytes received over the network, including headers. */
  bytes: number;
  requests: number;
}

const quietMs = 2_000;

/** Opens a URL without cache and measures when it shows the element and no long task follows. */
export async function timeToInteractive(page: Page, address: string, shown: string): Promise<Interactive> {
  await page.addInitScript(watch, { shown });
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let [bytes, requests] = [0, 0];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  await page.goto(address, { waitUntil: 'commit', timeout: 120_000 });
  const timing = await page
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
  if (timing === false || timing.shownMs === undefined) throw new Error(`${address} did not show ${shown}.`);
  return { shownMs: timing.shownMs, interactiveMs: timing.lastMs, bytes, requests };
}

interface Seen {
  shownMs: number | undefined;
  busyUntilMs: number;
}

/** Runs in the page, before any other script. */
function watch({ shown }: { shown: string }): void {
  const seen: Seen = { shownMs: undefined, busyUntilMs: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.busyUntilMs = startTime + duration;
  }).observe({ type: 'longtask', buffered: true });
  const waitForElement = (): void => {
    if (!document.querySelector(shown)) return void requestAnimationFrame(waitForElement);
    // The element is painted with the next frame.
    requestAnimationFrame(() => {
      seen.shownMs = performance.now();
    });
  };
  requestAnimationFrame(waitForElement);
}
