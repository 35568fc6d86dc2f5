import { pipeline, type Readable, Transform } from 'node:stream';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { recordCallEvent } from '../../platform/outbox.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { writeFile } from './encrypted-file.ts';
import { BodyMismatch, type RecordingStorage } from './ports.ts';
import { completeWavHeader, largestBytes, wavDurationMs, wavHeaderBytes } from './recording.rules.ts';
import { findRecording, findRecordingAccount, markStored } from './recording.store.ts';
import type { Recording } from './recording.ts';
import { removeFile } from './sweep-recordings.ts';

export interface StoreRecordingDeps {
  db: Database;
  clock: Clock;
  storage: RecordingStorage;
  keyRing: KeyRing;
  retentionDays: number;
}

export interface Upload {
  /** The media node that sends the file. */
  node: string;
  callId: string;
  body: Readable;
  bytes: number;
}

/**
 * Receives a file from a media node and stores it encrypted. After `stored`, `known` and `refused` (the recording was removed, or belongs to
 * another node) the node may delete its copy. After `unexpected`, no call expects it yet: the node keeps the file and
 * retries. Idempotent. Throws `BodyMismatch` if the body does not have the announced length.
 */
export async function storeRecording(
  deps: StoreRecordingDeps,
  upload: Upload,
): Promise<'stored' | 'known' | 'refused' | 'unexpected'> {
  const { callId, bytes } = upload;
  if (!Number.isSafeInteger(bytes) || bytes < 1 || bytes > largestBytes) {
    throw new BodyMismatch(`A recording must have 1 to ${largestBytes} bytes.`);
  }
  // Started before the query, during which the body may break off.
  const { body, head } = completingHead(upload.body, bytes);
  const recording = await findByCall(deps.db, callId);
  if (!recording || !isWanted(recording, upload.node)) {
    // Reads an unneeded body to its end, so that the sender receives the response.
    body.resume();
    return recording ? whyNot(recording) : 'unexpected';
  }
  const { accountId } = recording;
  const { objectKey, sha256 } = await writeFile(deps, recording, body, bytes);
  const now = deps.clock.now();
  const file = {
    objectKey,
    node: upload.node,
    bytes,
    sha256,
    durationMs: wavDurationMs(head(), bytes),
    storedAt: now,
    expiresAt: secondsAfter(now, deps.retentionDays * 24 * 3600),
  };
  const current = await inAccount(deps.db, accountId, async (tx) => {
    if (!(await markStored(tx, recording, file))) return await findRecording(tx, accountId, callId);
    await recordCallEvent(tx, {
      accountId,
      type: 'recording-ready',
      subjectId: callId,
      data: { id: callId, bytes, duration_ms: file.durationMs ?? null },
      occurredAt: now,
    });
    return undefined;
  });
  if (!current) return 'stored';
  if (current.state === 'stored') return 'known';
  // Removed during the upload: delete the new file.
  await removeFile(deps, objectKey);
  return 'refused';
}

async function findByCall(db: Database, callId: string): Promise<Recording | undefined> {
  const accountId = isUuid(callId) ? await findRecordingAccount(db, callId) : undefined;
  if (accountId === undefined) return undefined;
  return await inAccount(db, accountId, (tx) => findRecording(tx, accountId, callId));
}

const isWanted = ({ state, node }: Recording, sender: string): boolean =>
  (state === 'expected' || state === 'absent') && (node === null || node === sender);

const whyNot = ({ state }: Recording) => (state === 'stored' ? 'known' : 'refused');

/** Passes the body through, completes its header and keeps it. An aborted body aborts its reader. */
function completingHead(source: Readable, bytes: number): { body: Readable; head: () => Buffer } {
  let head: Buffer = Buffer.alloc(0);
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head.length === wavHeaderBytes) return done(null, chunk);
      const start = Buffer.concat([head, chunk]);
      head = start.subarray(0, wavHeaderBytes);
      if (head.length < wavHeaderBytes) return done();
      head = completeWavHeader(head, bytes);
      done(null, Buffer.concat([head, start.subarray(wavHeaderBytes)]));
    },
    flush(done) {
      if (head.length < wavHeaderBytes) this.push(head);
      done();
    },
  });
  pipeline(source, body, () => undefined);
  return { body, head: () => head };
}
