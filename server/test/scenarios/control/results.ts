import type { Matrix } from './hearing.ts';

export interface SceneResult {
  name: string;
  phases: { name: string; expected: Matrix; heard: Matrix }[];
  /** Differences between the ends of the legs and their limits. */
  ends: { party: string; source: string; errorMs: number; withinMs: number; stalledMs: number }[];
  /** Longest silence around a move of both parties while they talked. */
  gaps: { listener: string; speaker: string; ms: number }[];
  /** Seconds of each tone in the recording of the call. */
  recording: Record<string, number>;
}

const listed = (names: string[]): string => (names.length === 0 ? '–' : names.join(' + '));

/** Returns who heard whom, how exactly legs ended, and what was recorded, as tables. */
export function formatResults(results: readonly SceneResult[]): string {
  return [
    '| call | phase | who hears whom |',
    '|---|---|---|',
    ...results.flatMap(({ name, phases }) =>
      phases.map((phase) => {
        const heard = Object.entries(phase.heard).map(([party, names]) => `${party}: ${listed(names)}`);
        return `| ${name} | ${phase.name} | ${heard.join('; ')} |`;
      }),
    ),
    '',
    '| call | leg | limit | end after the limit (s) |',
    '|---|---|---|---|',
    ...results.flatMap(({ name, ends }) =>
      ends.map(
        ({ party, source, errorMs }) =>
          `| ${name} | ${party} | ${source} | ${(errorMs / 1_000).toFixed(2)} |`,
      ),
    ),
    '',
    '| call | longest gap while both were moved (ms) |',
    '|---|---|',
    ...results.flatMap(({ name, gaps }) =>
      gaps.map(({ listener, speaker, ms }) => `| ${name} | ${speaker} at ${listener}: ${ms} |`),
    ),
    '',
    '| call | seconds of each tone in the recording |',
    '|---|---|',
    ...results.map(({ name, recording }) => {
      const seconds = Object.entries(recording).map(([tone, each]) => `${tone} ${each.toFixed(1)}`);
      return `| ${name} | ${seconds.join(', ')} |`;
    }),
  ].join('\n');
}
