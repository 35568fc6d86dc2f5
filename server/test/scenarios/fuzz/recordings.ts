import { Readable } from 'node:stream';
import { recordingUrl, storeRecording } from '../../../src/contexts/recordings/index.ts';
import type { Api } from '../../../src/main/wire.ts';
import { inAccount } from '../../../src/platform/db/database.ts';
import { uuidv7 } from '../../../src/platform/ids.ts';
import { expectRecording } from '../../harness/fixtures/expect-recording.ts';

export interface RecordingLink {
  callId: string;
  signature: string;
}

const linkSeconds = 24 * 3600;

/** Adds a stored recording with a link that is valid longer than the run. */
export async function addRecording({ app, base }: Api, accountId: number): Promise<RecordingLink> {
  const at = base.clock.now();
  const callId = uuidv7(at);
  const audio = Buffer.from('RIFF header, no audio.');
  await inAccount(base.db, accountId, (tx) => expectRecording(tx, { accountId, callId, at }));
  await storeRecording(base, { node: 'm1', callId, body: Readable.from([audio]), bytes: audio.length });
  const { searchParams } = new URL(recordingUrl(app, callId, callId, linkSeconds));
  return { callId, signature: searchParams.get('signature') ?? '' };
}
