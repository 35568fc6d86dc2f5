import { firstAudioOf, percent, percentile } from './faults.ts';
import { shapes } from './plan.ts';
import type { AudioReport, CallResult } from './run.ts';

const columns = [
  'Shape',
  'Calls',
  'Failed',
  'One-way',
  'Foreign',
  'First audio p50 / p99 / max (ms)',
  'Largest gap (ms)',
  'Missing, max',
  'First word clipped, max (ms)',
  'Tail, max (ms)',
  'Recording: lacking / in excess, max (ms)',
  'Uncertainty, p99 (ms)',
];

/** Formats the results as a Markdown table with one row per shape of call. */
export function formatReport({ results }: AudioReport): string {
  const rows = shapes.map((shape) =>
    row(
      shape,
      results.filter(({ planned }) => planned.shape === shape),
    ),
  );
  return [columns, columns.map(() => '---'), ...rows, row('all', results)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function row(name: string, results: CallResult[]): (string | number)[] {
  const directions = results.flatMap((result) => result.directions);
  const first = firstAudioOf(directions);
  const largest = (values: (number | undefined)[]): number =>
    Math.max(0, ...values.filter((value) => value !== undefined));
  const recordings = results.flatMap(({ recording }) => recording ?? []);
  return [
    name,
    results.length,
    results.filter(({ error }) => error !== undefined).length,
    results.filter((result) => result.directions.some(({ isSilent }) => isSilent)).length,
    [...directions, ...recordings].filter(({ foreignHertz }) => foreignHertz.length > 0).length,
    [0.5, 0.99, 1].map((share) => percentile(first, share)).join(' / '),
    largest(directions.map(({ largestGapMs }) => largestGapMs)),
    percent(largest(directions.map(({ missingShare }) => missingShare))),
    largest(directions.map(({ clippedMs }) => clippedMs)),
    largest(directions.map(({ tailMs }) => tailMs)),
    [recordings.map(({ shortMs }) => shortMs), recordings.map(({ excessMs }) => excessMs)]
      .map(largest)
      .join(' / '),
    percentile(
      directions.map(({ uncertainMs }) => uncertainMs),
      0.99,
    ),
  ];
}
