import type { AllowedUse } from './find-words.ts';

export const allowedUses: AllowedUse[] = [
  { path: 'tools/words/find-words.ts', word: 'told', reason: 'the list itself' },
];
