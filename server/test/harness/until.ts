import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the value is truthy. Tests assert that it happens, not how fast. */
export async function until<T>(
  look: () => T | Promise<T>,
  what: string,
  seconds = 120,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > deadline) throw new Error(`Timed out after ${seconds} s waiting until ${what}.`);
    await sleep(20);
  }
}
