// The microphone and the ear of a page whose calls are measured. Samples are recorded on the audio thread.
import type { Recording } from './messages.ts';

/** The rate of G.711, so that recordings are as small as those of softphones. */
const rate = 8_000;
/** Amplitude of the simulator's tones. */
const volume = 0.22;

/** Posts all samples with the time of their last one. */
const recorder = `
registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[samples]]) {
    this.port.postMessage({ samples: samples ?? new Float32Array(128), atMs: Date.now() });
    return true;
  }
});
`;

interface Piece {
  samples: Float32Array;
  atMs: number;
}

export interface Voice {
  /** The microphone: silent until the page speaks. */
  stream: MediaStream;
  /** Plays the first word and then the tone. */
  speak(firstWord: { hertz: number; ms: number }, hertz: number): void;
  hush(): void;
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
    hush() {
      oscillator.frequency.cancelScheduledValues(0);
      gain.gain.setValueAtTime(0, context.currentTime);
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
      isRecording = false;
      const samples = pieces.flatMap((piece) => [...piece.samples]);
      const first = pieces[0];
      return {
        rate,
        startMs: first ? first.atMs - (first.samples.length / rate) * 1_000 : 0,
        samples: encode(samples),
      };
    },
  };
}

/** Encodes samples as 16-bit integers in base64. */
function encode(samples: number[]): string {
  const bytes = new Uint8Array(Int16Array.from(samples, (sample) => Math.round(sample * 32_767)).buffer);
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
