import type { Tx } from '../../platform/db/database.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import type { Author } from '../audit/index.ts';

interface ProofDeps {
  keyRing: KeyRing;
  clock: Clock;
}

interface Holder {
  uuid: string;
  email: string;
}

/** Notes that a user has read mail of their address and has its password, so that the address is theirs. */
export type ProveAddress = (tx: Tx, author: Author, at: Date) => Promise<void>;

const purpose = 'address-proof';
const lifetimeSeconds = 48 * 3600;

/** Returns the text that the page of a confirmation link sends with the login. A mail scanner gets it, but cannot log in. */
export const signAddressProof = ({ keyRing, clock }: ProofDeps, { uuid, email }: Holder): string =>
  keyRing.sign(purpose, { user: uuid, email }, secondsAfter(clock.now(), lifetimeSeconds));

/** An expired or forged proof is ignored, because it must not prevent the login. */
export function isAddressProof(
  { keyRing, clock }: ProofDeps,
  proof: string,
  { uuid, email }: Holder,
): boolean {
  const verified = keyRing.verify(purpose, proof, clock.now());
  if (verified.state !== 'valid') return false;
  return verified.payload.user === uuid && verified.payload.email === email;
}
