import { expect, test } from 'vitest';
import { combinations, shapes } from './plan.ts';
import { formatReport } from './report.ts';
import { runAudio } from './run.ts';

/** Each combination once, with a fixed seed, so that a failure can be reproduced with `./dev audio --seed`. */
const options = { calls: combinations, concurrency: 3, seed: 7 };

/** The bounds on times depend on an idle machine, so they are asserted by `./dev audio` only. */
test('AUDIO-01 AUDIO-02 AUDIO-05 both parties hear each other and no other call, and recordings are complete', async () => {
  const report = await runAudio(options);
  process.stdout.write(`${formatReport(report)}\n`);
  expect(report.faults, `kept in ${report.keptIn}`).toEqual([]);
  for (const shape of shapes) {
    const results = report.results.filter(({ planned }) => planned.shape === shape);
    expect(results, shape).toHaveLength(combinations / shapes.length);
    const recordings = results.filter(({ recording }) => recording !== undefined);
    expect(recordings, shape).toHaveLength(results.length / 2);
  }
  const directions = report.results.flatMap((result) => result.directions);
  expect(directions).toHaveLength(2 * combinations);
  expect(directions.every(({ firstAudioMs }) => firstAudioMs !== undefined)).toBe(true);
}, 300_000);
