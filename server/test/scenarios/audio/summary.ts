import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { CallResult } from './measure-call.ts';

/** A file with one line of JSON per measured call, to which several runs add. */
export interface Summary {
  add(seed: number, result: CallResult): void;
  /** Returns the results of all runs. */
  results(): CallResult[];
  /** Returns the names of the calls that were measured with this seed. */
  namesOf(seed: number): Set<string>;
}

type Line = CallResult & { seed: number };

export function openSummary(file: string): Summary {
  const lines = (): Line[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Line)
      : [];
  return {
    add: (seed, result) => appendFileSync(file, `${JSON.stringify({ seed, ...result })}\n`),
    results: lines,
    namesOf: (seed) => new Set(lines().flatMap((line) => (line.seed === seed ? line.name : []))),
  };
}
