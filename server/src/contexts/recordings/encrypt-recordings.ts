import { inAccount } from '../../platform/db/database.ts';
import { firstUuid, walkRows } from '../../platform/walk-rows.ts';
import { type WriteFileDeps, writeFile } from './encrypted-file.ts';
import {
  clearPlainKey,
  findPlainFiles,
  findPlainKey,
  findUnencrypted,
  replaceFile,
} from './encryption.store.ts';
import { encryptedKeyOf, isEncrypted } from './recording.rules.ts';
import { type Due, findRecording } from './recording.store.ts';

const batch = 100;

/**
 * Encrypts the files of recordings from before the encryption, and deletes those that an earlier run has replaced. The
 * file before is kept until the next run, because a client may be about to read it. Returns how many were encrypted. Can be
 * interrupted at any time: the next run continues.
 */
export async function encryptRecordings(deps: WriteFileDeps, signal: AbortSignal): Promise<number> {
  const walk = { first: firstUuid, idOf: ({ callId }: Due) => callId, signal };
  await walkRows({ ...walk, find: (after) => findPlainFiles(deps.db, after, batch), handle: deletePlain });
  return await walkRows({
    ...walk,
    find: (after) => findUnencrypted(deps.db, after, batch),
    handle: encrypt,
  });

  async function deletePlain(due: Due): Promise<void> {
    const key = await inAccount(deps.db, due.accountId, (tx) => findPlainKey(tx, due));
    if (key === undefined) return;
    await deps.storage.remove(key);
    await inAccount(deps.db, due.accountId, (tx) => clearPlainKey(tx, due));
  }

  async function encrypt(due: Due): Promise<void> {
    const recording = await find(due);
    if (recording?.state !== 'stored' || !recording.file || isEncrypted(recording.objectKey)) return;
    const body = await deps.storage.get(recording.objectKey);
    if (!body) throw new Error(`The file of recording ${due.callId} is missing.`);
    const { objectKey, sha256 } = await writeFile(deps, recording, body, recording.file.bytes);
    const isSame = sha256.equals(recording.file.sha256);
    const files = { former: recording.objectKey, objectKey };
    if (isSame && (await inAccount(deps.db, due.accountId, (tx) => replaceFile(tx, due, files)))) return;
    // Removed meanwhile, unless another worker has replaced the file as well.
    const current = await find(due);
    if (current?.objectKey !== encryptedKeyOf(recording.objectKey)) await deps.storage.remove(objectKey);
    if (!isSame) throw new Error(`The file of recording ${due.callId} does not match its checksum.`);
  }

  async function find({ accountId, callId }: Due) {
    return await inAccount(deps.db, accountId, (tx) => findRecording(tx, accountId, callId));
  }
}
