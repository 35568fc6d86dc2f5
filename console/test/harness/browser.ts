import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';

/**
 * The omnibox pop-up is a WebUI page that is loaded for every window, which takes a second each time. The flag replaces
 * earlier lists, so it includes the features that playwright-core disables.
 */
const disabledFeatures = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'DialMediaRouteProvider'],
  ...['GlobalMediaControls', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'BlockOriginHeaderModificationOnRedirect'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'Translate', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled'],
];

/** Only the pages under test may use the network. */
const flags = [
  `--disable-features=${disabledFeatures.join(',')}`,
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const startBrowser = (extraFlags: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    chromiumSandbox: false,
    args: [...flags, ...extraFlags],
  });

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this test worker, which ends with its process: starting one takes seconds, and contexts are
 * separate. Test files of a worker share their modules (`isolate: false`).
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = startBrowser();
  return (await shared) as Browser;
}

/** Closes what a test file has left open in the shared browser. */
export async function closeContexts(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await inTime(context.close(), 'the browser closes a context');
}

/** A path on our server with an empty response. */
export const nothing = '/assets/none';

export type Theme = 'light' | 'dark';
export type Language = 'pt-BR' | 'en';

export interface ViewOptions {
  width?: number;
  height?: number;
  theme?: Theme;
  language?: Language;
  /** Accepts every certificate, such as that of an identity provider in tests. */
  trustsAll?: boolean;
}

/** A page with the errors that occurred in it. */
export interface View {
  page: Page;
  context: BrowserContext;
  /** Script errors, CSP violations, failed loads, and requests to other hosts. */
  faults: string[];
  /** API requests made, as `GET /users`. */
  requests: string[];
  /** Waits until the event stream is open. */
  following(): Promise<void>;
  /** Waits until all requests except the event stream have finished. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Ends hanging tests only. */
const timeoutMs = 120_000;

/** Bounds operations for which the browser driver has no timeout, so that a hanging test names the operation. */
export async function inTime<Result>(operation: Promise<Result>, what: string): Promise<Result> {
  const timeout = new AbortController();
  const tooLate = sleep(timeoutMs, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`Timed out after ${timeoutMs / 1_000} s waiting until ${what}.`);
  });
  try {
    return await Promise.race([operation, tooLate]);
  } finally {
    tooLate.catch(() => undefined);
    timeout.abort();
  }
}

/** Opens a page in a new browser context, which ends with the view. */
export async function openView(browser: Browser, baseUrl: string, options: ViewOptions = {}): Promise<View> {
  const { width = 1440, height = 900, theme = 'light', language = 'pt-BR', trustsAll = false } = options;
  const context = await inTime(
    browser.newContext({
      baseURL: baseUrl,
      ignoreHTTPSErrors: trustsAll,
      locale: language,
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: { width, height },
    }),
    'the browser opens a context',
  );
  boundOperations(context);
  const view = await openPage(context, baseUrl);
  return { ...view, close: () => inTime(context.close(), 'the browser closes a context') };
}

/** Bounds everything that tests wait for in this context. */
function boundOperations(context: BrowserContext): void {
  context.setDefaultTimeout(timeoutMs);
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await inTime(newPage(), 'the browser opens a page');
    const evaluate = page.evaluate.bind(page) as (script: unknown, argument: unknown) => Promise<unknown>;
    page.evaluate = ((script: unknown, argument: unknown) =>
      inTime(
        evaluate(script, argument),
        `the page has run ${String(script).slice(0, 200)}`,
      )) as Page['evaluate'];
    return page;
  };
}

/** Opens a page in an existing browser context, with its cookies and cached files. */
export async function openPage(context: BrowserContext, baseUrl: string): Promise<View> {
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on('crash', () => faults.push('crash: the page crashed'));
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) faults.push(`policy: ${message.text()}`);
  });
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    if (path.startsWith('/assets/') && path !== nothing && !response.ok())
      faults.push(`file: ${path} ${response.status()}`);
  });
  page.on('requestfailed', (request) => {
    const path = new URL(request.url()).pathname;
    if (path.startsWith('/assets/')) faults.push(`file: ${path} ${request.failure()?.errorText}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== new URL(baseUrl).origin)
      faults.push(`elsewhere: ${url}`);
    if (url.pathname.startsWith('/api/v1'))
      requests.push(`${request.method()} ${url.pathname.replace('/api/v1', '')}`);
  });
  const opened = whenStreamOpens(page);
  return {
    page,
    context,
    faults,
    requests,
    following: () => inTime(opened, 'the event stream is open'),
    settled: settling(page),
    close: () => inTime(page.close(), 'the browser closes a page'),
  };
}

const whenStreamOpens = (page: Page): Promise<void> =>
  new Promise((resolve) => {
    page.on('response', (response) => {
      if (response.url().endsWith('/events/stream') && response.ok()) resolve();
    });
  });

const quietMs = 250;

function settling(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let lastMs = Date.now();
  page.on('request', (request) => {
    // The browser reports no completion for the favicon.
    if (!/\/events\/stream$|\/assets\/mark-[^/]+\.svg$/.test(request.url())) open.add(request);
  });
  const done = (request: Request): void => {
    open.delete(request);
    lastMs = Date.now();
  };
  page.on('requestfinished', done);
  page.on('requestfailed', done);
  let arriving: Request | undefined;
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) arriving = response.request();
  });
  // A navigation drops the requests of the previous page without further events.
  page.on('framenavigated', () => {
    if (!arriving) return;
    for (const each of open) if (each !== arriving) open.delete(each);
    arriving = undefined;
  });
  return async () => {
    // A page that was idle may be about to send a request.
    lastMs = Date.now();
    const deadlineMs = Date.now() + timeoutMs;
    while (open.size > 0 || Date.now() - lastMs < quietMs) {
      if (Date.now() > deadlineMs)
        throw new Error(`Timed out waiting for ${[...open].map((each) => each.url()).join(', ')}.`);
      await page.waitForTimeout(50);
    }
  };
}
