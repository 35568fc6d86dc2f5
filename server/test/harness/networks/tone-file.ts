const rate = 48_000;
const loudness = 0.4;

/** Returns a WAV file with a tone in whole periods, so that it can be looped. */
export function toneFile(hertz: number, seconds: number): Buffer {
  const samples = rate * seconds;
  const file = Buffer.alloc(44 + samples * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples * 2, 40);
  for (let index = 0; index < samples; index += 1) {
    const value = loudness * Math.sin((2 * Math.PI * hertz * index) / rate);
    file.writeInt16LE(Math.round(value * 32_767), 44 + index * 2);
  }
  return file;
}
