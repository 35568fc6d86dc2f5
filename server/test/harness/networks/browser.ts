import { createHash, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import type { EndingStep } from '../../../../tools/dev/process-identity.ts';
import { endAndRemove } from '../../../../tools/dev/process-records.ts';
import { startService } from '../../../../tools/dev/services/service.ts';
import type { HomeNetwork } from './home-network.ts';
import { openLoopbackTunnel } from './loopback-tunnel.ts';
import { commandInside } from './namespaces.ts';
import { toneFile } from './tone-file.ts';

/** Chromium in the home network, behind the router. */
export interface HomeBrowser {
  /** Opens a page of this origin that contains only the phone. */
  openPage(origin: string): Promise<Page>;
  /**
   * Kills the browser. It does not unregister or close its WebSocket properly; its connections are closed by the
   * system.
   */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const program = '/usr/bin/chromium';
const answerTimeoutMs = 1_000;
const killing: EndingStep[] = [{ signal: 'SIGKILL', waitMs: 5_000, wholeGroup: true }];

/** The tone that the browser's fake microphone plays. */
export const microphoneHertz = 700;

/** Starts a browser that trusts these certificates by their keys, as if an authority had signed them. */
export async function startBrowser(
  network: HomeNetwork,
  ...certificateFiles: string[]
): Promise<HomeBrowser> {
  const port = await freePort();
  const tunnel = await openLoopbackTunnel(network.home, [port]);
  const dir = inDev('test', 'browser', network.home);
  rmSync(dir, { recursive: true, force: true });
  const microphone = join(dir, 'microphone.wav');
  mkdirSync(dir, { recursive: true });
  writeFileSync(microphone, toneFile(microphoneHertz, 1));
  const entry = await startService({
    name: `browser-${network.home}`,
    ...commandInside(
      network.home,
      program,
      ...flags(port, dir, microphone, certificateFiles.map(keyHash).join()),
    ),
    commandIncludes: `--remote-debugging-port=${port}`,
    logFile: join(dir, 'messages'),
    cwd: dir,
    ending: killing,
    outlives: false,
    isReady: () => answers(port),
  });
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const bundle = await bundlePhone();
  return {
    openPage: (origin) => openPage(browser, origin, bundle),
    kill: () => endAndRemove(entry),
    async close() {
      await browser.close();
      await endAndRemove(entry);
      await tunnel.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function flags(port: number, dir: string, microphone: string, trustedKeys: string): string[] {
  return [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ...[
      '--disable-dev-shm-usage',
      '--disable-background-timer-throttling',
      '--disable-renderer-backgrounding',
    ],
    '--autoplay-policy=no-user-gesture-required',
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}`,
    `--ignore-certificate-errors-spki-list=${trustedKeys}`,
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${join(dir, 'profile')}`,
  ];
}

function keyHash(certificateFile: string): string {
  const { publicKey } = new X509Certificate(readFileSync(certificateFile));
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}

async function answers(port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const response = await fetch(`http://127.0.0.1:${port}/json/version`, { signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function bundlePhone(): Promise<string> {
  const input = fileURLToPath(import.meta.resolve('./page/phone.ts'));
  const build = await rolldown({ input, platform: 'browser' });
  const { output } = await build.generate({ format: 'iife' });
  await build.close();
  return output[0].code;
}

/** Intercepts the request instead of serving the page, so that the page has the console's origin. */
async function openPage(browser: Browser, origin: string, bundle: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route(`${origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Phone</title>' }),
  );
  await page.goto(`${origin}/`);
  await page.addScriptTag({ content: bundle });
  return page;
}
