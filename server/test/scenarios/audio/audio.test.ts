import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSlots, type Slot } from './lines.ts';
import { combinations, kinds, shapes } from './plan.ts';
import { formatReport } from './report.ts';
import { measureCalls } from './run.ts';
import { openStage } from './stage.ts';

const seed = 7;
/** Two of these slots have browsers. */
const slotCount = 4;

let stage: Awaited<ReturnType<typeof openStage>>;
let slots: Slot[];
beforeAll(async () => {
  stage = await openStage();
  slots = await makeSlots(stage, slotCount);
}, 300_000);
afterAll(() => stage?.close());

/** The bounds on times depend on an idle machine, so they are asserted by `./dev audio` only. */
test('AUDIO-01 AUDIO-02 AUDIO-05 AUDIO-06 parties of every kind hear each other and no other call', async () => {
  const calls = combinations / 2;
  const report = await measureCalls(stage, slots, { calls, concurrency: slotCount, seed, isSample: true });
  process.stdout.write(`${formatReport(report)}\n`);
  expect(report.faults, `kept in ${report.keptIn}`).toEqual([]);
  for (const shape of shapes) {
    const results = report.results.filter(({ planned }) => planned.shape === shape);
    expect(results.map(({ planned }) => planned.kind).toSorted()).toEqual(kinds.toSorted());
    const recordings = results.filter(({ recording }) => recording !== undefined);
    expect(recordings, shape).toHaveLength(results.length / 2);
  }
  const directions = report.results.flatMap((result) => result.directions);
  expect(directions).toHaveLength(2 * calls);
  expect(directions.every(({ firstAudioMs }) => firstAudioMs !== undefined)).toBe(true);
}, 300_000);

test('AUDIO-07 connected calls keep their audio and end while nodes drain, edges restart and voice is killed', async () => {
  const options = { calls: 12, concurrency: slotCount, seed, isDisturbed: true };
  const report = await measureCalls(stage, slots, options);
  expect(report.faults, `kept in ${report.keptIn}`).toEqual([]);
  expect(report.disturbances.length).toBeGreaterThan(0);
  const connected = report.results.filter(({ isExcused }) => !isExcused);
  expect(connected.length).toBeGreaterThan(0);
}, 300_000);
