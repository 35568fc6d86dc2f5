const shape = /^[\w-]+(?:\/[\w-]+)*\.wav$/;

export const isKey = (text: string): boolean => text.length <= 200 && shape.test(text);

/** Keys are made by us. One that could lead elsewhere is a fault of ours, and goes nowhere. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new Error('A recording has an impossible key.');
}
