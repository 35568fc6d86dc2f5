import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../../../server/test/harness/until.ts';
import { measureLoudness, type Sound, shareOfTone } from '../../../server/test/harness/voice/tones.ts';

interface Watched {
  connections: RTCPeerConnection[];
  ear?: AnalyserNode;
}

/** Makes pages record their peer connections, and disables audio processing of the microphone. */
export const recordPeerConnections = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(watchCalls);

/** Runs in the page. */
function watchCalls(): void {
  const watched: Watched = { connections: [] };
  Object.assign(window, { watched });
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      watched.connections.push(this);
    }
  };
  const devices = navigator.mediaDevices;
  const ask = devices.getUserMedia.bind(devices);
  // Voice processing would suppress a steady tone as noise.
  const steady = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  devices.getUserMedia = ({ audio, ...rest } = {}) =>
    ask({ ...rest, audio: { ...(typeof audio === 'object' ? audio : {}), ...steady } });
}

export interface Levels {
  /** Total audio energy received in all calls of the page, from the WebRTC statistics. */
  energyReceived: number;
  /** Current level of the microphone as sent, 0 to 1. */
  microphoneLevel: number;
}

export const getLevels = (page: Page): Promise<Levels> => page.evaluate(readLevels);

/** Runs in the page. */
async function readLevels(): Promise<Levels> {
  const { watched } = window as unknown as { watched: Watched };
  const levels = { energyReceived: 0, microphoneLevel: 0 };
  for (const connection of watched.connections) {
    for (const part of (await connection.getStats()).values()) {
      if (part.type === 'inbound-rtp') levels.energyReceived += part.totalAudioEnergy ?? 0;
      if (part.type === 'media-source' && connection.connectionState === 'connected')
        levels.microphoneLevel = part.audioLevel ?? 0;
    }
  }
  return levels;
}

/** Samples of 1/6 s each that must contain the tone. */
const piecesOfTone = 6;

/** Waits until the tone dominates the audio of the page's last call in several samples. */
export async function whenPageHears(page: Page, hertz: number): Promise<void> {
  let pieces = 0;
  const hearsIt = async (): Promise<boolean> => {
    const { rate, samples } = await page.evaluate(hear);
    const sound: Sound = { rate, samples: Float64Array.from(samples) };
    if (measureLoudness(sound) > 0.005 && shareOfTone(sound, hertz) > 0.5) pieces += 1;
    return pieces >= piecesOfTone;
  };
  await until(hearsIt, `the page hears ${hertz} Hz`);
}

/** Runs in the page. */
async function hear(): Promise<{ rate: number; samples: number[] }> {
  const page = window as unknown as { watched: Watched; listening?: AudioContext; heard?: MediaStreamTrack };
  page.listening ??= new AudioContext();
  const track = page.watched.connections.at(-1)?.getReceivers()[0]?.track;
  if (track && track !== page.heard) {
    page.heard = track;
    page.watched.ear = new AnalyserNode(page.listening, { fftSize: 8192 });
    page.listening.createMediaStreamSource(new MediaStream([track])).connect(page.watched.ear);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  const samples = new Float32Array(page.watched.ear?.fftSize ?? 1);
  page.watched.ear?.getFloatTimeDomainData(samples);
  return { rate: page.listening.sampleRate, samples: [...samples] };
}
