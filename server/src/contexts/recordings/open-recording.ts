import type { Readable } from 'node:stream';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { insertAccess } from './access.store.ts';
import { readFile } from './encrypted-file.ts';
import type { RecordingStorage } from './ports.ts';
import { parseRange } from './recording.rules.ts';
import { findRecording, findRecordingAccount } from './recording.store.ts';
import { checkSignature, type RecordingUrlDeps } from './recording-url.ts';

export interface OpenRecordingDeps extends Pick<RecordingUrlDeps, 'keyRing' | 'clock'> {
  db: Database;
  storage: RecordingStorage;
  log: Logger;
}

interface LinkUse {
  callId: string;
  signature: string | undefined;
  method: 'GET' | 'HEAD';
  range: string | undefined;
  /** Version that the range refers to; if it is not the current one, the whole file is served. */
  ifRange: string | undefined;
  address: string;
}

export interface OpenedRecording {
  /** ETag; changes only with the content. */
  tag: string;
  totalBytes: number;
  /** The range served; `unsatisfiable` if the file is shorter. */
  part: ReturnType<typeof parseRange>;
  /** Undefined for HEAD requests. */
  body: Readable | undefined;
}

const retryAfterSeconds = 5;

/**
 * Serves a signed link. Altered links and unknown or removed recordings return NOT_FOUND; RECORDING_LINK_EXPIRED and
 * RECORDING_NOT_READY are returned only for links with a valid signature. The access is logged before the file is
 * served.
 */
export async function openRecording(deps: OpenRecordingDeps, use: LinkUse): Promise<OpenedRecording> {
  const { callId, method } = use;
  const link = checkSignature(deps, callId, use.signature ?? '');
  if (link.state === 'invalid' || !isUuid(callId)) throw notFound();
  if (link.state === 'expired') {
    throw new Refusal('RECORDING_LINK_EXPIRED', 'This link has expired. Read the call again for a new one.');
  }
  const accountId = await findRecordingAccount(deps.db, callId);
  if (accountId === undefined) throw notFound();
  const { issuedTo } = link;
  const note = { accountId, callId, at: deps.clock.now(), issuedTo, address: use.address, method };

  const opened = await inAccount(deps.db, accountId, async (tx) => {
    const recording = await findRecording(tx, accountId, callId);
    if (recording?.state === 'expected') {
      await insertAccess(tx, { ...note, outcome: 'not-ready', rangeStart: undefined, bytes: 0 });
      return undefined;
    }
    if (recording?.state !== 'stored' || !recording.file) throw notFound();
    const { bytes, sha256 } = recording.file;
    const tag = `"${sha256.toString('hex')}"`;
    const isForThis = use.ifRange === undefined || use.ifRange === tag;
    const part = parseRange(method === 'GET' && isForThis ? use.range : undefined, bytes);
    const rangeStart = part.kind === 'part' ? part.start : undefined;
    const served = method === 'HEAD' ? 0 : bytesOf(part, bytes);
    await insertAccess(tx, { ...note, outcome: part.kind, rangeStart, bytes: served });
    return { tag, totalBytes: bytes, part, stored: { ...recording, bytes } };
  });
  if (!opened) {
    throw new Refusal('RECORDING_NOT_READY', 'The recording is not stored yet.', { retryAfterSeconds });
  }
  const { stored, ...recording } = opened;
  if (method === 'HEAD' || recording.part.kind === 'unsatisfiable') return { ...recording, body: undefined };
  const range = recording.part.kind === 'part' ? recording.part : undefined;
  const onDamage = (err: Error) => deps.log.error({ callId, err }, 'recording not served completely');
  const body = await readFile(deps, stored, range, onDamage).catch((error: unknown) => {
    deps.log.error({ callId, err: error }, 'recording storage unavailable');
    throw new Refusal('SERVICE_UNAVAILABLE', 'The recording storage is unavailable. Try again shortly.', {
      retryAfterSeconds,
    });
  });
  if (!body) {
    deps.log.error({ callId }, 'stored recording missing from storage');
    throw notFound();
  }
  return { ...recording, body };
}

export function bytesOf(part: OpenedRecording['part'], totalBytes: number): number {
  switch (part.kind) {
    case 'whole':
      return totalBytes;
    case 'part':
      return part.end - part.start + 1;
    case 'unsatisfiable':
      return 0;
  }
}
