import type { AllowedUse } from './find-words.ts';

/** The only exceptions. An entry that no file needs any more fails the check. */
export const allowedUses: AllowedUse[] = [
  {
    path: 'server/sql/retired/forsaken_calls.sql',
    word: 'forsaken',
    reason: 'the name by which the previous release calls the function',
  },
];
