export type RecordingState = 'expected' | 'stored' | 'absent' | 'removed';

export interface Recording {
  callId: string;
  accountId: number;
  state: RecordingState;
  expectedAt: Date;
  objectKey: string;
  /** Who has the file, or sent it; null while nobody is named. */
  node: string | null;
  /** Of the stored file; empty before. */
  file: { bytes: number; sha256: Buffer; expiresAt: Date } | undefined;
}
