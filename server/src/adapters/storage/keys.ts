const shape = /^[\w-]+(?:\/[\w-]+)*\.wav$/;

/** Keys are made by us. One that could lead elsewhere is a fault of ours, and goes nowhere. */
export function assertKey(key: string): void {
  if (key.length > 200 || !shape.test(key)) throw new Error('A recording has an impossible key.');
}
