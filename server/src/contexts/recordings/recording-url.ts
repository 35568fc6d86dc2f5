import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';

const purpose = 'recording-link';

/** Lifetime of links in API responses, in seconds. */
export const linkSeconds = 15 * 60;

export interface RecordingUrlDeps {
  keyRing: KeyRing;
  clock: Clock;
  publicUrl: string;
}

/** Returns a link that serves the recording to anyone who has it, until it expires. */
export function recordingUrl(deps: RecordingUrlDeps, callId: string, ttlSeconds = linkSeconds): string {
  const signature = deps.keyRing.sign(purpose, { callId }, secondsAfter(deps.clock.now(), ttlSeconds));
  return `${deps.publicUrl}/api/v1/recordings/${callId}?signature=${signature}`;
}

/** Checks a signature, which is valid only for its own call. */
export function checkSignature(
  deps: Pick<RecordingUrlDeps, 'keyRing' | 'clock'>,
  callId: string,
  signature: string,
): 'valid' | 'expired' | 'invalid' {
  const verified = deps.keyRing.verify(purpose, signature, deps.clock.now());
  if (verified.state !== 'valid') return verified.state;
  return verified.payload.callId === callId ? 'valid' : 'invalid';
}
