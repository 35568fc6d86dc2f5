import { inAccount } from '../../platform/db/database.ts';
import { DamagedFile, plainSize } from '../../platform/sealed-frames.ts';
import { findByCalls, findStored, type KnownRecording } from './comparison.store.ts';
import { readFile } from './encrypted-file.ts';
import { replaceFile } from './encryption.store.ts';
import { BodyMismatch } from './ports.ts';
import { encryptedKeyOf, isEncrypted, plainKeyOf } from './recording.rules.ts';
import { type StoreRecordingDeps, storeRecording } from './store-recording.ts';

export interface Comparison {
  files: number;
  /** Stored files that were missing in the database and are now recorded. */
  adopted: number;
  /** Files of calls that are not in the database. */
  unknown: string[];
  /** Recordings whose file is missing. */
  lost: string[];
  /** Stored files that are incomplete, such as an empty one from an interrupted copy, or cannot be decrypted. */
  damaged: string[];
}

/** Maximum number of files reported by name. */
const maxNamed = 1_000;
const pageSize = 500;
const lookedAtOnce = 16;

/**
 * Compares stored files with the database after a restore. A database restored to an earlier time lacks newer files,
 * and expects files that a media node has already sent and deleted. Those are recorded as if they arrived now; nothing
 * else is changed.
 */
export async function compareFiles(deps: StoreRecordingDeps): Promise<Comparison> {
  const comparison: Comparison = { files: 0, adopted: 0, unknown: [], lost: [], damaged: [] };
  for await (const keys of deps.storage.list()) {
    comparison.files += keys.length;
    for (let start = 0; start < keys.length; start += pageSize)
      await compareKeys(deps, keys.slice(start, start + pageSize), comparison);
  }
  await findLost(deps, comparison);
  return comparison;
}

async function compareKeys(deps: StoreRecordingDeps, keys: string[], found: Comparison): Promise<void> {
  const calls = new Map(keys.map((key) => [callIdOf(key), key]));
  const recordings = await findByCalls(
    deps.db,
    [...calls.keys()].filter((id) => id !== undefined),
  );
  const byKey = new Map(recordings.map((recording) => [plainKeyOf(recording.objectKey), recording]));
  for (const key of keys) {
    const recording = byKey.get(plainKeyOf(key));
    if (!recording) {
      if (found.unknown.length < maxNamed) found.unknown.push(key);
    } else if (recording.state === 'expected' || recording.state === 'absent') {
      await adoptOrName(deps, { ...recording, objectKey: key }, found);
    }
  }
}

const callIdOf = (key: string): string | undefined =>
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.wav(?:\.enc)?$/.exec(key)?.[1];

/** Adopts a file or reports it by name. A bad file must not stop the comparison or the ledger audit after it. */
async function adoptOrName(
  deps: StoreRecordingDeps,
  recording: KnownRecording,
  found: Comparison,
): Promise<void> {
  try {
    if (await adopt(deps, recording)) found.adopted += 1;
  } catch (error) {
    if (!(error instanceof BodyMismatch || error instanceof DamagedFile)) throw error;
    if (found.damaged.length < maxNamed) found.damaged.push(recording.objectKey);
  }
}

async function adopt(deps: StoreRecordingDeps, recording: KnownRecording): Promise<boolean> {
  const { callId, objectKey, node } = recording;
  const size = await deps.storage.stat(objectKey);
  if (!size) return false;
  const bytes = isEncrypted(objectKey) ? plainSizeOf(recording, size.bytes) : size.bytes;
  const body = await readFile(deps, { ...recording, bytes }, undefined, () => undefined);
  if (!body) return false;
  const outcome = await storeRecording(deps, { node: node ?? 'restored', callId, body, bytes });
  // It is stored encrypted, under another name.
  if (outcome === 'stored' && !isEncrypted(objectKey)) await deps.storage.remove(objectKey);
  return outcome === 'stored';
}

/** An account's key may be newer than the restored database; its first files then cannot be decrypted. */
function plainSizeOf({ keySealed }: KnownRecording, bytes: number): number {
  const size = plainSize(bytes);
  if (size === undefined || keySealed === null) throw new DamagedFile('The file cannot be decrypted.');
  return size;
}

async function findLost({ db, storage }: StoreRecordingDeps, found: Comparison): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await findStored(db, last, pageSize);
    for (let start = 0; start < page.length; start += lookedAtOnce) {
      const some = page.slice(start, start + lookedAtOnce);
      const exist = await Promise.all(some.map((recording) => hasFile({ db, storage }, recording)));
      const gone = some.filter((_recording, index) => !exist[index]).map(({ objectKey }) => objectKey);
      found.lost.push(...gone.slice(0, maxNamed - found.lost.length));
    }
    if (page.length < pageSize) return;
    last = page.at(-1)?.callId ?? last;
  }
}

/** Whether a recording has its file. One that was encrypted after the restored time is recorded as such. */
async function hasFile(
  { db, storage }: Pick<StoreRecordingDeps, 'db' | 'storage'>,
  { accountId, callId, objectKey, keySealed }: KnownRecording,
): Promise<boolean> {
  if (await storage.stat(objectKey)) return true;
  const encrypted = encryptedKeyOf(objectKey);
  if (encrypted === objectKey || keySealed === null || !(await storage.stat(encrypted))) return false;
  const files = { former: objectKey, objectKey: encrypted };
  return await inAccount(db, accountId, (tx) => replaceFile(tx, { accountId, callId }, files));
}
