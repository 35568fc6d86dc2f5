import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstWord } from '../../../../simulator/voice/tones.ts';
import { judgeCall } from './judge.ts';
import { makeSlots, type Slot } from './lines.ts';
import { placeCall } from './place.ts';
import { combinations, kinds, shapes } from './plan.ts';
import { checkRecording } from './recording.ts';
import { formatReport } from './report.ts';
import { measureCalls } from './run.ts';
import { openStage } from './stage.ts';

const seed = 7;
/** As many as two cores carry. One of the slots has browsers. */
const slotCount = 2;

let stage: Awaited<ReturnType<typeof openStage>>;
let slots: Slot[];
beforeAll(async () => {
  stage = await openStage();
  slots = await makeSlots(stage, slotCount);
}, 600_000);
afterAll(() => stage?.close());

/** The bounds on times depend on an idle machine, so they are asserted by `./dev audio` only. */
test('AUDIO-01 AUDIO-02 AUDIO-05 AUDIO-06 parties of every kind hear each other and no other call', async () => {
  const calls = combinations / 2;
  const report = await measureCalls(stage, slots, { calls, concurrency: slotCount, seed, isSample: true });
  process.stdout.write(`${formatReport(report.results)}\n`);
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
}, 600_000);

/** Plays two packets of another call's tone between those of its own, three times: a busy machine may lose some. */
const withForeignTone = (hertz: number): string =>
  [
    `!${firstWord.hertz}/${firstWord.ms}`,
    `!${hertz}/500`,
    ...Array(3).fill(`!${foreignHertz}/40,!${hertz}/300`),
    hertz,
  ].join();
const foreignHertz = 1_900;

test.each(['browser', 'udp'] as const)(
  'AUDIO-02 40 ms of another call are found at a %s phone and in the recording',
  async (kind) => {
    const [slot] = slots;
    if (!slot) throw new Error('There is no slot.');
    const planned = {
      shape: 'inbound',
      kind,
      other: 'tcp',
      isRecorded: true,
      talkMs: 2_500,
      endedBy: 'caller',
      node: 0,
    } as const;
    const tones = { caller: 700, called: 1_200 };
    const otherTones = () => [foreignHertz, 2_600];
    const call = { stage, slot, planned, tones, otherTones, speechOf: withForeignTone };
    const talked = await placeCall(call);
    const directions = await judgeCall(planned, talked);
    const { check } = await checkRecording(stage.deployment, talked, directions);
    expect(directions.map((direction) => direction.foreignHertz)).toEqual([[], [foreignHertz]]);
    expect(check.foreignHertz).toEqual([foreignHertz]);
  },
);

test('AUDIO-07 connected calls keep their audio and end while nodes drain, edges restart and voice is killed', async () => {
  const options = { calls: 12, concurrency: slotCount, seed, isDisturbed: true };
  const report = await measureCalls(stage, slots, options);
  expect(report.faults, `kept in ${report.keptIn}`).toEqual([]);
  expect(report.disturbances.length).toBeGreaterThan(0);
  const connected = report.results.filter(({ isExcused }) => !isExcused);
  expect(connected.length).toBeGreaterThan(0);
}, 600_000);
