import type { Passwords } from '../../../src/contexts/access/index.ts';
import { cheapPasswords } from '../../harness/platform.ts';

/** The real thing, with a count of the hashes it computed: every call costs one. */
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
    /** How many were computed while the work was done. */
    async during(work: () => Promise<unknown>): Promise<number> {
      const before = evaluations;
      await work();
      return evaluations - before;
    },
  };
}
