import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  expectRecording,
  recordingUrl,
  storeRecording,
  type Upload,
} from '../../src/contexts/recordings/index.ts';
import { inAccount } from '../../src/platform/db/database.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import type { Platform } from '../harness/platform.ts';

/** Seconds of mono telephone audio as Asterisk writes it. */
export function wav(seconds: number): Buffer {
  const samples = randomBytes(seconds * 16_000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** A call of the account whose file has not come yet. */
export async function expectOne(platform: Platform, accountId: number): Promise<string> {
  const at = platform.clock.now();
  const callId = uuidv7(at);
  await inAccount(platform.api.base.db, accountId, (tx) => expectRecording(tx, { accountId, callId, at }));
  return callId;
}

export async function upload(
  platform: Platform,
  callId: string,
  audio: Buffer,
  changes: Partial<Upload> = {},
) {
  const { db, storage, retentionDays } = platform.api.base;
  const deps = { db, storage, retentionDays, clock: platform.clock };
  return await storeRecording(deps, {
    node: 'm1',
    callId,
    body: Readable.from([audio]),
    bytes: audio.length,
    ...changes,
  });
}

/** A call of the account whose recording is stored. */
export async function storeOne(platform: Platform, accountId: number, audio = wav(1)): Promise<string> {
  const callId = await expectOne(platform, accountId);
  await upload(platform, callId, audio);
  return callId;
}

/** The path of a link, without host and version, as the client takes it. */
export const linkOf = ({ api }: Platform, callId: string, ttlSeconds?: number): string =>
  recordingUrl(api.app, callId, ttlSeconds).replace('http://api.disca.test/api/v1', '');

export async function stateOf({ database }: Platform, callId: string): Promise<string | undefined> {
  const [row] = await database.query<{ state: string }>('select state from recordings where call_id = $1', [
    callId,
  ]);
  return row?.state;
}
