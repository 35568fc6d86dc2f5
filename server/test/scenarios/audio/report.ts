import { checkBounds, firstAudioOf, isQuiet, percentile } from './bounds.ts';
import { percent } from './faults.ts';
import type { CallResult } from './measure-call.ts';
import { kinds, kindsOf, shapes } from './plan.ts';

const columns = [
  'Shape, phone',
  'Calls',
  'Failed',
  'One-way',
  'Foreign',
  'First audio p50 / p95 / p99 / max (ms)',
  'Largest gap p50 / p95 / p99 / max (ms)',
  'Missing, max',
  'First word clipped, max (ms)',
  'Tail, max (ms)',
  'Recording: lacking / in excess, max (ms)',
  'Uncertainty, p99 (ms)',
];

/**
 * Formats the results as a Markdown table with one row per shape of call and one per kind of phone. An internal call is
 * in the rows of both of its phones.
 */
export function formatReport(results: CallResult[]): string {
  const rows = [
    ...shapes.map((shape) =>
      row(
        shape,
        results.filter(({ planned }) => planned.shape === shape),
      ),
    ),
    ...kinds.map((kind) =>
      row(
        kind,
        results.filter(({ planned }) => kindsOf(planned).includes(kind)),
      ),
    ),
  ];
  return table(columns, [...rows, row('all', results)]);
}

const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Formats the bounds as met or exceeded, with the distributions in the calls during which the machine kept up. */
export function formatBounds(results: CallResult[]): string {
  const rows = checkBounds(results).map(({ calls, what, limit, values, isMet }) => [
    calls,
    what,
    limit,
    values.length === 0 ? 'not measured' : isMet ? 'met' : 'EXCEEDED',
    values.length,
    [0.5, 0.99, 1].map((share) => percentile(values, share)).join(' / '),
  ]);
  const head = ['Calls', 'Bound', 'Limit', 'Result', 'Measured', 'p50 / p99 / max'];
  const quiet = results.filter(isQuiet).length;
  return `Times are judged in ${quiet} of ${results.length} calls: during the others the machine stalled for 20 ms or more, or they failed.\n${table(head, rows)}`;
}

const distribution = (values: number[]): string =>
  [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share)).join(' / ');

function row(name: string, results: CallResult[]): (string | number)[] {
  const directions = results.flatMap((result) => result.directions);
  const largest = (values: (number | undefined)[]): number =>
    Math.max(0, ...values.filter((value) => value !== undefined));
  const recordings = results.flatMap(({ recording }) => recording ?? []);
  return [
    name,
    results.length,
    results.filter(({ error }) => error !== undefined).length,
    results.filter((result) => result.directions.some(({ isSilent }) => isSilent)).length,
    [...directions, ...recordings].filter(({ foreignHertz }) => foreignHertz.length > 0).length,
    distribution(firstAudioOf(directions)),
    distribution(directions.map(({ largestGapMs }) => largestGapMs)),
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
