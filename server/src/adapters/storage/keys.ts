const shape = /^[\w-]+(?:\/[\w-]+)*\.wav(?:\.enc)?$/;

export const isKey = (text: string): boolean => text.length <= 200 && shape.test(text);

/** Rejects keys that could escape the storage root; generated keys never do. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new Error('Invalid recording key.');
}
