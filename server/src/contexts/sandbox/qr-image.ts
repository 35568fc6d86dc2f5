import { create, toBuffer } from 'qrcode';

// Level M recovers from 15 % damage; readers need a quiet zone of four modules.
const look = { errorCorrectionLevel: 'M', margin: 4, scale: 8 } as const;

export const qrPng = async (text: string): Promise<Buffer> => await toBuffer(text, { ...look, type: 'png' });

/** Returns the dark modules as one path, one unit per module, in a square of `side` including the quiet zone. */
export function qrPath(text: string): { side: number; path: string } {
  const { size, data } = create(text, look).modules;
  const dark = [...data.keys()].filter((at) => data[at]);
  const path = dark.map(
    (at) => `M${(at % size) + look.margin} ${Math.floor(at / size) + look.margin}h1v1h-1z`,
  );
  return { side: size + 2 * look.margin, path: path.join('') };
}
