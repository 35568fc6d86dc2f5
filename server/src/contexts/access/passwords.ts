import { hash, type Options, verify } from '@node-rs/argon2';
import { Refusal } from '../../platform/errors.ts';

/** Both functions throw SERVICE_UNAVAILABLE when too many hashes are in progress. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the time of one hash whether or not there is a stored one. */
  matches(storedHash: string | undefined, password: string): Promise<boolean>;
}

// OWASP's recommendation for argon2id: 19 MiB, two passes.
const production: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** About two seconds of work for four threads; a longer queue would only slow down every login. */
const maxConcurrent = 256;

export function createPasswords(cost: Options = production): Passwords {
  const decoy = hash('no user has this password', cost);
  let underway = 0;

  async function unlessCrowded<T>(work: () => Promise<T>): Promise<T> {
    if (underway >= maxConcurrent) {
      throw new Refusal('SERVICE_UNAVAILABLE', 'Too many logins right now. Try again shortly.', {
        retryAfterSeconds: 2,
      });
    }
    underway += 1;
    try {
      return await work();
    } finally {
      underway -= 1;
    }
  }

  return {
    hash: (password) => unlessCrowded(() => hash(password, cost)),
    matches: (storedHash, password) =>
      unlessCrowded(async () => {
        const matched = await verify(storedHash ?? (await decoy), password);
        return matched && storedHash !== undefined;
      }),
  };
}
