// The microphone and the ear of a page whose calls are measured. Samples are recorded on the audio thread.
import type { Recording } from './messages.ts';

/** The rate of G.711, so that recordings are as small as those of softphones. */
const rate = 8_000;
/** Amplitude of the simulator's tones. */
const volume = 0.22;

/** Posts all samples, in pieces of 8 blocks (128 ms), with the time of the first block's end. */
const recorder = `
registerProcessor('recorder', class extends AudioWorkletProcessor {
  blocks = [];
  process([[samples]]) {
    this.atMs ??= Date.now();
    this.blocks.push(samples ? samples.slice() : new Float32Array(128));
    if (this.blocks.length === 8) {
      this.port.postMessage({ blocks: this.blocks, atMs: this.atMs });
      this.blocks = [];
      this.atMs = undefined;
    }
    return true;
  }
});
`;

/** Longer than a piece and the jitter buffer. */
const restAfterMs = 400;

interface Piece {
  blocks: Float32Array[];
  atMs: number;
}

export interface Voice {
  /** The microphone: silent until the page speaks. */
  stream: MediaStream;
  /** Plays the first word and then the tone. */
  speak(firstWord: { hertz: number; ms: number }, hertz: number): void;
  /** Prepares for the next call. */
  hush(): Promise<void>;
  /** Stops recording after the last audio of a call, and uses no processor time until the next one. */
  rest(): void;
  /** Connects received audio, and records it from now on. */
  listen(track: MediaStreamTrack): void;
  startRecording(): void;
  /** Returns what was recorded since. */
  recording(): Recording;
}

export async function openVoice(): Promise<Voice> {
  const context = new AudioContext({ sampleRate: rate });
  await context.audioWorklet.addModule(
    URL.createObjectURL(new Blob([recorder], { type: 'text/javascript' })),
  );
  const oscillator = new OscillatorNode(context);
  const gain = new GainNode(context, { gain: 0 });
  const microphone = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
  oscillator.connect(gain).connect(microphone);
  oscillator.start();
  const ear = new AudioWorkletNode(context, 'recorder', {
    numberOfOutputs: 0,
    channelCount: 1,
    channelCountMode: 'explicit',
  });
  let pieces: Piece[] = [];
  let isRecording = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  ear.port.onmessage = ({ data }: MessageEvent<Piece>) => {
    if (isRecording) pieces.push(data);
  };
  let source: MediaStreamAudioSourceNode | undefined;
  return {
    stream: microphone.stream,
    speak({ hertz: first, ms }, hertz) {
      const at = context.currentTime;
      oscillator.frequency.setValueAtTime(first, at);
      oscillator.frequency.setValueAtTime(hertz, at + ms / 1_000);
      gain.gain.setValueAtTime(volume, at);
    },
    async hush() {
      clearTimeout(resting);
      await context.resume();
      oscillator.frequency.cancelScheduledValues(0);
      gain.gain.setValueAtTime(0, context.currentTime);
    },
    rest() {
      resting = setTimeout(() => {
        isRecording = false;
        void context.suspend();
      }, restAfterMs);
    },
    listen(track) {
      source?.disconnect();
      source = context.createMediaStreamSource(new MediaStream([track]));
      source.connect(ear);
    },
    startRecording() {
      pieces = [];
      isRecording = true;
    },
    recording() {
      const blocks = pieces.flatMap((piece) => piece.blocks);
      const blockMs = ((blocks[0]?.length ?? 0) / rate) * 1_000;
      return { rate, startMs: (pieces[0]?.atMs ?? 0) - blockMs, samples: encode(blocks) };
    },
  };
}

/** Encodes samples as 16-bit integers in base64. */
function encode(blocks: Float32Array[]): string {
  const samples = blocks.flatMap((block) => [...block].map((sample) => Math.round(sample * 32_767)));
  const bytes = new Uint8Array(Int16Array.from(samples).buffer);
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
