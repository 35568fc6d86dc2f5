/** The header of a WAL file. */
export interface SegmentHead {
  timeline: number;
  /** Position of the segment in the WAL, in bytes. */
  position: bigint;
  /** Identifier of the cluster that wrote the segment. */
  systemIdentifier: bigint;
  bytes: number;
}

export const headBytes = 40;
const longHeader = 0x0002;
const name = /^[0-9A-F]{24}$/;

export const isSegment = (file: string): boolean => name.test(file);
/**
 * Returns whether PostgreSQL archives this file: a segment, the partial last segment of an old timeline, a history file
 * or a backup label.
 */
export const isArchivable = (file: string): boolean =>
  /^(?:[0-9A-F]{24}(?:\.partial|\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/.test(file);

/** Returns undefined if the bytes are not a segment header. */
export function readHead(bytes: Buffer): SegmentHead | undefined {
  if (bytes.length < headBytes || (bytes.readUInt16LE(2) & longHeader) === 0) return undefined;
  return {
    timeline: bytes.readUInt32LE(4),
    position: bytes.readBigUInt64LE(8),
    systemIdentifier: bytes.readBigUInt64LE(24),
    bytes: bytes.readUInt32LE(32),
  };
}

const perLog = (segmentBytes: number): number => 0x1_0000_0000 / segmentBytes;

export function segmentName(timeline: number, number: number, segmentBytes: number): string {
  const parts = [timeline, Math.floor(number / perLog(segmentBytes)), number % perLog(segmentBytes)];
  return parts
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase();
}

export const timelineOf = (file: string): number => Number.parseInt(file.slice(0, 8), 16);

/** Returns the number of a segment, counted from the start of the WAL; it is the same in every timeline. */
export const segmentNumber = (file: string, segmentBytes: number): number =>
  Number.parseInt(file.slice(8, 16), 16) * perLog(segmentBytes) + Number.parseInt(file.slice(16, 24), 16);

/** Parses an LSN such as 0/3000028. */
export function positionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export const numberOfPosition = (text: string, segmentBytes: number): number =>
  Number(positionOf(text) / BigInt(segmentBytes));
