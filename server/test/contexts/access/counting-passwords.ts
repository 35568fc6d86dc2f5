import type { Passwords } from '../../../src/contexts/access/index.ts';
import { cheapPasswords } from '../../harness/platform.ts';

/** Wraps the real hasher and counts the hashes computed. Every call computes one. */
export function countingPasswords(counted: Passwords = cheapPasswords()) {
  let evaluations = 0;
  const passwords: Passwords = {
    async hash(password) {
      evaluations += 1;
      return await counted.hash(password);
    },
    async matches(storedHash, password) {
      evaluations += 1;
      return await counted.matches(storedHash, password);
    },
  };
  return {
    passwords,
    /** Returns the number of hashes computed during `work`. */
    async during(work: () => Promise<unknown>): Promise<number> {
      const before = evaluations;
      await work();
      return evaluations - before;
    },
  };
}
