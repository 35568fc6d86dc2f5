import { hash, type Options, verify } from '@node-rs/argon2';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the time of one hash whether there is one to compare with or not. */
  matches(storedHash: string | undefined, password: string): Promise<boolean>;
}

// OWASP's choice for argon2id: 19 MiB, two passes.
const production: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function createPasswords(cost: Options = production): Passwords {
  const decoy = hash('nobody has this password', cost);
  return {
    hash: (password) => hash(password, cost),
    async matches(storedHash, password) {
      const matched = await verify(storedHash ?? (await decoy), password);
      return matched && storedHash !== undefined;
    },
  };
}
