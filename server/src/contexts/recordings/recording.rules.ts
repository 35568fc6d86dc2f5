/** Bytes of 18 hours of WAV, longer than any call. */
export const largestBytes = 1024 ** 3;

export const wavHeaderBytes = 44;

/**
 * Returns the storage key. It is deterministic, so that a file sent twice is stored once. The last digits of the id are
 * random and spread the files of a day over 256 folders.
 */
export function objectKeyOf(accountId: number, callId: string, at: Date): string {
  return `${accountId}/${at.toISOString().slice(0, 10)}/${callId.slice(-2)}/${callId}.wav`;
}

const encrypted = '.enc';

/**
 * Returns the storage key of an encrypted file. It differs from that of the file before, so that the form of a file is
 * known from its name, and a process of the previous release refuses to read it as audio.
 */
export const encryptedKeyOf = (objectKey: string): string => `${plainKeyOf(objectKey)}${encrypted}`;

export const plainKeyOf = (objectKey: string): string =>
  isEncrypted(objectKey) ? objectKey.slice(0, -encrypted.length) : objectKey;

export const isEncrypted = (objectKey: string): boolean => objectKey.endsWith(encrypted);

/**
 * Returns the header of a WAV file with the lengths of a file of this size. An engine that is killed leaves both lengths
 * 0, and players then show an empty recording.
 */
export function completeWavHeader(head: Buffer, bytes: number): Buffer {
  if (!isWav(head) || head.toString('latin1', 36, 40) !== 'data') return head;
  const completed = Buffer.from(head);
  completed.writeUInt32LE(bytes - 8, 4);
  completed.writeUInt32LE(bytes - wavHeaderBytes, 40);
  return completed;
}

/** Returns the duration of a WAV from the byte rate in its header; undefined if it is not a WAV file. */
export function wavDurationMs(head: Buffer, bytes: number): number | undefined {
  if (!isWav(head)) return undefined;
  const bytesPerSecond = head.readUInt32LE(28);
  if (bytesPerSecond === 0) return undefined;
  return Math.round(((bytes - wavHeaderBytes) * 1000) / bytesPerSecond);
}

const isWav = (head: Buffer): boolean =>
  head.length >= wavHeaderBytes &&
  head.toString('latin1', 0, 4) === 'RIFF' &&
  head.toString('latin1', 8, 12) === 'WAVE';

export type RangeAnswer =
  | { kind: 'whole' }
  | { kind: 'part'; start: number; end: number }
  | { kind: 'unsatisfiable' };

/**
 * Parses a Range header with one byte range. For multiple ranges, other units and invalid headers the whole file is
 * served, as RFC 9110 allows.
 */
export function parseRange(header: string | undefined, bytes: number): RangeAnswer {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return { kind: 'whole' };
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  if (start >= bytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
