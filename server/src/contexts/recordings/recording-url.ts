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

/**
 * Returns a link that serves the recording to anyone who has it, until it expires. It names the user or service token to
 * whom it was issued, by uuid, so that its uses can be attributed.
 */
export function recordingUrl(
  deps: RecordingUrlDeps,
  callId: string,
  issuedTo: string,
  ttlSeconds = linkSeconds,
): string {
  const expiresAt = secondsAfter(deps.clock.now(), ttlSeconds);
  const signature = deps.keyRing.sign(purpose, { callId, issuedTo }, expiresAt);
  return `${deps.publicUrl}/api/v1/recordings/${callId}?signature=${signature}`;
}

type CheckedLink =
  /** `issuedTo` is null for a link of the previous release, which is valid for 24 hours at most. */
  { state: 'valid'; issuedTo: string | null } | { state: 'expired' } | { state: 'invalid' };

/** Checks a signature, which is valid only for its own call. */
export function checkSignature(
  deps: Pick<RecordingUrlDeps, 'keyRing' | 'clock'>,
  callId: string,
  signature: string,
): CheckedLink {
  const verified = deps.keyRing.verify(purpose, signature, deps.clock.now());
  if (verified.state !== 'valid') return { state: verified.state };
  const { callId: signed, issuedTo } = verified.payload;
  if (signed !== callId) return { state: 'invalid' };
  return { state: 'valid', issuedTo: typeof issuedTo === 'string' ? issuedTo : null };
}
