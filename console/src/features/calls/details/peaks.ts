/** Data for drawing a waveform. */
export interface Peaks {
  peaks: Float32Array;
  seconds: number;
}

const peakCount = 1_000;
const pcm = 1;
const maxSample = 32_768;

interface Sound {
  bytesPerSecond: number;
  start: number;
  length: number;
}

/**
 * Computes the peak of each of 1,000 buckets directly from the file. Recordings are 16-bit WAV; decoding an hour of audio
 * to draw a waveform would take 100 MB. Other formats get a flat waveform and still play.
 */
export function computePeaks(bytes: ArrayBuffer): Peaks {
  const sound = findSound(new DataView(bytes));
  if (!sound) return { peaks: new Float32Array([0, 0]), seconds: 1 };
  const samples = new Int16Array(bytes, sound.start, Math.floor(sound.length / 2));
  const peaks = new Float32Array(Math.min(peakCount, Math.max(1, samples.length)));
  for (let part = 0; part < peaks.length; part += 1) {
    const from = Math.floor((part * samples.length) / peaks.length);
    const to = Math.floor(((part + 1) * samples.length) / peaks.length);
    let loudest = 0;
    for (let index = from; index < to; index += 1) {
      loudest = Math.max(loudest, Math.abs(samples[index] ?? 0));
    }
    peaks[part] = loudest / maxSample;
  }
  return { peaks, seconds: sound.length / sound.bytesPerSecond };
}

function findSound(file: DataView): Sound | undefined {
  const name = (at: number): string =>
    String.fromCharCode(...[0, 1, 2, 3].map((offset) => file.getUint8(at + offset)));
  if (file.byteLength < 44 || name(0) !== 'RIFF' || name(8) !== 'WAVE') return undefined;
  let bytesPerSecond: number | undefined;
  for (let at = 12; at + 8 <= file.byteLength; ) {
    const length = file.getUint32(at + 4, true);
    const start = at + 8;
    if (name(at) === 'fmt ' && file.getUint16(start, true) === pcm && file.getUint16(start + 14, true) === 16)
      bytesPerSecond = file.getUint32(start + 8, true);
    if (name(at) === 'data') {
      if (bytesPerSecond === undefined || start % 2 !== 0) return undefined;
      return { bytesPerSecond, start, length: Math.min(length, file.byteLength - start) };
    }
    at = start + length + (length % 2);
  }
  return undefined;
}
