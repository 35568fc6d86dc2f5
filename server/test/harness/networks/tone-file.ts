const rate = 48_000;
const loudness = 0.4;

/** Returns a WAV file with a tone in whole periods, so that it can be looped. */
export function toneFile(hertz: number, seconds: number): Buffer {
  const samples = Buffer.alloc(rate * seconds * 2);
  for (let index = 0; index < rate * seconds; index += 1) {
    const value = loudness * Math.sin((2 * Math.PI * hertz * index) / rate);
    samples.writeInt16LE(Math.round(value * 32_767), index * 2);
  }
  return wavFile(rate, samples);
}

/** Returns a mono WAV file of 16-bit samples. */
export function wavFile(hertz: number, samples: Buffer): Buffer {
  const file = Buffer.alloc(44);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + samples.length, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(hertz, 24);
  file.writeUInt32LE(hertz * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples.length, 40);
  return Buffer.concat([file, samples]);
}
