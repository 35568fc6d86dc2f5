import { expect, test } from 'vitest';
import { lossTable, type NamedReport } from './loss-table.ts';

const report = (changes: Partial<NamedReport>): NamedReport => ({
  name: 'media host',
  gapMs: { api: 400, calls: 2_000, webhooks: 3_040 },
  accepted: 60,
  refused: [],
  running: 3,
  kept: 3,
  carried: 2,
  unanswered: 1,
  answered: 59,
  recordings: 58,
  faults: [],
  ...changes,
});

test('the table of losses has one row for each loss, with ranges over its runs', () => {
  const slower = { api: 900, calls: 1_500, webhooks: 3_000 };
  const [, , ...rows] = lossTable([
    report({}),
    report({ name: 'app host', gapMs: slower, recordings: 59 }),
    report({ gapMs: slower, refused: ['1.0 s: 503'], kept: 2, faults: ['lost'] }),
  ]).split('\n');
  expect(rows.map((row) => row.split(' | ').slice(0, 11))).toEqual([
    [
      ...['| media host', '2', '0.4 to 0.9', '1.5 to 2.0', '3.0', '120', '0 to 1', '1', '5 of 6'],
      ...['116 of 118', '1'],
    ],
    ['| app host', '1', '0.9', '1.5', '3.0', '60', '0', '1', '3 of 3', '59 of 59', '0'],
  ]);
});
