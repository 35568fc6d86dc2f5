import type { Handling } from '../../platform/caller.ts';

interface Facts {
  /** What the header `Prefer` asks for. */
  preferred: Handling | undefined;
  /** What the caller's account has chosen; undefined without a caller. */
  ofAccount: Handling | undefined;
  /** Our own console never sends unknown fields; accepting them would only hide its bugs. */
  isConsole: boolean;
}

export const chooseHandling = ({ preferred, ofAccount, isConsole }: Facts): Handling =>
  isConsole ? 'strict' : (preferred ?? ofAccount ?? 'strict');

/** Returns the value of `Preference-Applied`: the preference if it was applied, and always that of a lenient request. */
export const appliedPreference = (handling: Handling, preferred: Handling | undefined): string | undefined =>
  handling === 'lenient' || handling === preferred ? `handling=${handling}` : undefined;
