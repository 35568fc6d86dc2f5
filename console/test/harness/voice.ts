import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toneFile } from '../../../server/test/harness/networks/tone-file.ts';
import {
  startVoicePlatform,
  type VoiceOptions,
  type VoicePlatform,
} from '../../../server/test/harness/voice/voice-platform.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import { asText, cellIsFree, edgeAddresses, type VoiceCell } from '../../../tools/dev/voice/cell.ts';
import { inTime, startBrowser, type View, type ViewOptions } from './browser.ts';
import { consoleSettings, openViewAs, type TestConsole } from './console.ts';
import { recordPeerConnections } from './voice-hearing.ts';
import { hasVoiceNetwork, voiceNetwork } from './voice-network.ts';

export interface VoiceViewOptions extends ViewOptions {
  /** Whether the microphone permission is granted. */
  microphone?: 'allowed' | 'refused';
}

/** The console with the whole voice platform, and a browser with a microphone. */
export interface VoiceConsole extends Pick<TestConsole, 'browser' | 'baseUrl' | 'close'> {
  platform: VoicePlatform;
  /** A new browser context, logged in as this user, at the path. */
  viewAs(person: { email: string }, path?: string, options?: VoiceViewOptions): Promise<View>;
}

/** Tone of this browser's microphone. */
export const microphoneHertz = 700;
/** Tone of numbers that end in 95, and of simulated phones with the behaviour `tone`. */
export const carrierHertz = 1_000;
export const phoneHertz = 440;

const allAddresses = `${voiceNetwork}.0/24`;
const maxAttempts = 20;

export async function startVoiceConsole(options: VoiceOptions = {}): Promise<VoiceConsole> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const cell = await chooseCell();
  const edge = asText(edgeAddresses(cell).wss);
  const platform = await startVoicePlatform({
    settings: {
      ...consoleSettings(baseUrl),
      EDGE_WEBSOCKET_URLS: `wss://${edge}/sip`,
      ...options.settings,
    },
    engines: {
      consoleOrigins: [baseUrl],
      networks: { edges: allAddresses, carriers: allAddresses },
      ...options.engines,
      cell,
    },
  });
  await platform.listen(port);
  const dir = mkdtempSync(join(tmpdir(), 'disca-microphone-'));
  const microphone = join(dir, 'microphone.wav');
  writeFileSync(microphone, toneFile(microphoneHertz, 1));
  const browser = await startBrowser(voiceFlags(microphone, join(platform.engines.edge.dir, 'etc/edge.crt')));
  return {
    platform,
    browser,
    baseUrl,
    async viewAs(person, path = '/', { microphone: access = 'allowed', ...view } = {}) {
      return await openViewAs(browser, baseUrl, person, path, view, async ({ context }) => {
        if (access === 'allowed') await context.grantPermissions(['microphone'], { origin: baseUrl });
        await recordPeerConnections(context);
      });
    },
    async close() {
      await inTime(browser.close(), 'the browser has ended');
      await platform.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Browser flags: a microphone that plays a file, and a certificate trusted by its key. */
function voiceFlags(microphone: string, certificateFile: string): string[] {
  const { publicKey } = new X509Certificate(readFileSync(certificateFile));
  const key = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  return [
    '--disable-dev-shm-usage',
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}`,
    `--ignore-certificate-errors-spki-list=${key}`,
  ];
}

/** Finds free ports; other tests use the same addresses. */
async function chooseCell(): Promise<VoiceCell> {
  if (!hasVoiceNetwork())
    throw new Error('Creating network interfaces requires root. Run the phone tests as root.');
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const cell = { network: voiceNetwork, port: await freePort() };
    if (await cellIsFree(cell)) return cell;
  }
  throw new Error(`No free port on ${voiceNetwork}.`);
}
