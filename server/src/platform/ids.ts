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
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidShape.test(text);
