import { pipeline, type Readable, Transform } from 'node:stream';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/ids.ts';
import { recordEvent } from '../../platform/outbox.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { BodyMismatch, type RecordingStorage } from './ports.ts';
import { largestBytes, wavDurationMs } from './recording.rules.ts';
import { findRecording, findRecordingAccount, markStored } from './recording.store.ts';
import type { Recording } from './recording.ts';

export interface StoreRecordingDeps {
  db: Database;
  clock: Clock;
  storage: RecordingStorage;
  retentionDays: number;
}

export interface Upload {
  /** The media node that sends it. */
  node: string;
  callId: string;
  body: Readable;
  bytes: number;
}

/**
 * Takes a file from a media node. After `stored` and `known` the node may forget its copy, and after `refused`, for a
 * recording that was removed before it came or that is another node's. `unexpected`: no call is known to have it yet,
 * so the node keeps it and tries again. Safe to repeat. Throws `BodyMismatch` when the body is not what was announced.
 */
export async function storeRecording(
  deps: StoreRecordingDeps,
  upload: Upload,
): Promise<'stored' | 'known' | 'refused' | 'unexpected'> {
  const { callId, bytes } = upload;
  if (!Number.isSafeInteger(bytes) || bytes < 1 || bytes > largestBytes) {
    throw new BodyMismatch(`A recording has between 1 and ${largestBytes} bytes.`);
  }
  // From the start, because a body may break off while the database is asked.
  const { body, head } = keepingHead(upload.body);
  const recording = await findByCall(deps.db, callId);
  if (!recording || !isWanted(recording, upload.node)) {
    // What is not wanted is read to its end, so that the sender hears the answer.
    body.resume();
    return recording ? whyNot(recording) : 'unexpected';
  }
  const { accountId } = recording;
  const { sha256 } = await deps.storage.put(recording.objectKey, body, bytes);
  const now = deps.clock.now();
  const file = {
    node: upload.node,
    bytes,
    sha256,
    durationMs: wavDurationMs(head(), bytes),
    storedAt: now,
    expiresAt: secondsAfter(now, deps.retentionDays * 24 * 3600),
  };
  const current = await inAccount(deps.db, accountId, async (tx) => {
    if (!(await markStored(tx, recording, file))) return await findRecording(tx, accountId, callId);
    await recordEvent(tx, {
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
  // Removed while it came in: what was just written must not stay.
  await deps.storage.remove(recording.objectKey);
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

const headBytes = 44;

/** Lets the body through and remembers how it begins. A body that breaks off breaks what reads it. */
function keepingHead(source: Readable): { body: Readable; head: () => Buffer } {
  let head = Buffer.alloc(0);
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head.length < headBytes) head = Buffer.concat([head, chunk]).subarray(0, headBytes);
      done(null, chunk);
    },
  });
  pipeline(source, body, () => undefined);
  return { body, head: () => head };
}
