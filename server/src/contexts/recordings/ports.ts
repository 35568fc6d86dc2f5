import type { Readable } from 'node:stream';

/** Part of a file: from its first to its last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where the files are. Keys are ours; nothing in them comes from outside. */
export interface RecordingStorage {
  /**
   * Keeps the file whole or not at all, and answers its SHA-256. Throws `BodyMismatch` when the body is not as long as
   * was said. A key that is there already is replaced.
   */
  put(key: string, body: Readable, bytes: number): Promise<{ sha256: Buffer }>;
  /** Undefined when there is no such file. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>;
  stat(key: string): Promise<{ bytes: number } | undefined>;
  /** Removing what is not there is done already. */
  remove(key: string): Promise<void>;
  /** The keys of all files that are whole, some at a time. */
  list(): AsyncIterable<string[]>;
  /** Throws when files cannot be kept here; asked once, at the start. */
  check(): Promise<void>;
  close(): void;
}

/** The body ended early, or went on for too long. */
export class BodyMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BodyMismatch';
  }
}
