export type RecordingState = 'expected' | 'stored' | 'absent' | 'removed';

export interface Recording {
  callId: string;
  accountId: number;
  state: RecordingState;
  expectedAt: Date;
  objectKey: string;
  /** The node that has or sent the file; null if unknown. */
  node: string | null;
  /** The key of the account's files, sealed with the key ring; null until it has one. */
  keySealed: string | null;
  /** The stored file; undefined until it is stored. */
  file: { bytes: number; sha256: Buffer; expiresAt: Date } | undefined;
}
