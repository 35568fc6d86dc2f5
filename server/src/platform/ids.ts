import { randomFillSync } from 'node:crypto';

/** Random bytes for 256 ids: one call to the generator costs about the same for one id as for a hundred. */
const pool = Buffer.alloc(16 * 256);
let used = pool.length;

function sixteenRandomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

/** Returns a UUIDv7. Its first 48 bits are the time in milliseconds, so ids sort by creation and prune partitions. */
export function uuidv7(at: Date): string {
  const bytes = sixteenRandomBytes();
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return asUuid(bytes.toString('hex'));
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidShape.test(text);

const lastMs = 2 ** 48 - 1;

/** Returns the lowest UUIDv7 of a time, in ms. */
export const idFloor = (ms: number): string =>
  asUuid(Math.min(Math.max(ms, 0), lastMs).toString(16).padStart(12, '0').padEnd(32, '0'));

/** Returns the time in a UUIDv7, in ms. */
export const msOfId = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** Returns the id that follows an id directly. */
export const idAfter = (id: string): string =>
  asUuid((BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0'));

export function lowerId(a: string, b: string): string {
  if (a < b) return a;
  return b;
}

export function higherId(a: string, b: string): string {
  if (a > b) return a;
  return b;
}

const asUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
