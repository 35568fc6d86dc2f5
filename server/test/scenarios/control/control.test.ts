import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../harness/until.ts';
import { liftCaps } from '../../harness/voice/lines.ts';
import { readClosedWav } from '../../harness/voice/tones.ts';
import { startVoicePlatform, type VoicePlatform } from '../../harness/voice/voice-platform.ts';
import { type Stalls, watchStalls } from '../audio/stalls.ts';
import { moveVoiceOut, type VoiceProcess } from '../chaos/voice-process.ts';
import { type ControlledCall, type Limit, placeCall } from './controlled-call.ts';
import { extendNode } from './engine-commands.ts';
import { type Heard, heardIn, longestGapMs, readHeard, secondsOfTones } from './hearing.ts';
import { formatResults, type SceneResult } from './results.ts';
import { scenes } from './scenes.ts';

/** With CONTROL_FUNDED, as set by ./dev control, legs end with the funded minute; otherwise after this time. */
const limitSeconds = process.env.CONTROL_FUNDED ? undefined : 32;
const rounds = Number(process.env.CONTROL_ROUNDS ?? 1);
/** Besides the time in which the machine did not run waiting threads. */
const toleranceMs = 1_000;
const recoveryMs = 2_000;

let platform: VoicePlatform;
let voice: VoiceProcess;
let stalls: Stalls;

beforeAll(async () => {
  stalls = await watchStalls();
  platform = await startVoicePlatform();
  await extendNode(platform.engines.node);
  // Recordings stay on the node, where they are read.
  await platform.stopShipping();
  voice = await moveVoiceOut(platform);
});
afterAll(async () => {
  await voice?.kill();
  await platform?.close();
  await stalls?.stop();
});

test('legs are held, transferred, joined and supervised, and end with their own limit after voice is killed', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const results = await runRound();
    process.stdout.write(`${formatResults(results)}\n`);
    for (const { name, phases, ends, recording } of results) {
      for (const phase of phases) expect(phase.heard, `${name}: ${phase.name}`).toEqual(phase.expected);
      for (const { party, errorMs, withinMs, stalledMs } of ends) {
        expect(errorMs, `${name}: the limit of ${party}`).toBeGreaterThanOrEqual(-toleranceMs - stalledMs);
        expect(errorMs, `${name}: the limit of ${party}`).toBeLessThanOrEqual(
          toleranceMs + withinMs + stalledMs,
        );
      }
      expect(recording.music, `${name}: music in the recording`).toBe(0);
    }
    await voice.start();
  }
});

/** Why a call is lifted by a move of its first leg, after which the destination's leg continues. */
test('a destination moved out of Dial directly loses the first leg and has no limit', async () => {
  const account = await platform.addAccount();
  const line = await platform.addLine(account);
  const { engine, callId, legs, parties } = await placeCall({ platform, limitSeconds }, line, line);
  await engine.move(callId, legs.b, 'music');
  await engine.whenIn(legs.b, 'MusicOnHold');
  await until(() => parties.get('A')?.leg().endedAtMs, 'A ends');
  expect(await engine.read(`${callId}.a`, 'TIMEOUT(absolute)').catch(() => 'gone')).toBe('gone');
  expect(await engine.read(legs.b, 'TIMEOUT(absolute)')).toBe('0');
  await platform.engines.simulator.hangUpCarrier(callId);
});

async function runRound(): Promise<SceneResult[]> {
  const account = await platform.addAccount();
  await liftCaps(platform, account);
  const lines = await Promise.all(
    scenes.map(() => platform.addLine(account, { extension: { gravar_audio: 1 } })),
  );
  const other = await platform.addLine(account);
  const calls = await Promise.all(lines.map((line) => placeCall({ platform, limitSeconds }, line, other)));
  const played = scenes.map((scene, index) => ({ scene, call: calls[index] as ControlledCall }));
  await Promise.all(played.map(({ scene, call }) => scene.before(call)));
  await Promise.all(played.map(({ scene, call }) => scene.atKill(call)));
  await voice.kill();
  await Promise.all(played.map(({ scene, call }) => scene.after(call)));
  await Promise.all(calls.map(whenEnded));
  expect((await platform.engines.node.ask('GET', '/channels')).body).toEqual([]);
  const all = new Map(
    calls.flatMap((call, index) =>
      [...call.tones].map(([name, hertz]) => [name === 'music' ? name : `${index}${name}`, hertz] as const),
    ),
  );
  return await Promise.all(
    played.map(({ scene, call }, index) => resultOf(scene.name, call, String(index), all)),
  );
}

const whenEnded = ({ parties }: ControlledCall) =>
  until(() => [...parties.values()].every(({ leg }) => leg().endedAtMs !== undefined), 'all legs have ended');

/** Tones are named by call and party, so that audio of another call would be noticed. */
async function resultOf(
  name: string,
  call: ControlledCall,
  number: string,
  tones: ReadonlyMap<string, number>,
): Promise<SceneResult> {
  const heard = new Map<string, Heard>();
  for (const [party, each] of call.parties) heard.set(party, await readHeard(each));
  const own = (tone: string): string => (tone.startsWith(number) ? tone.slice(number.length) : tone);
  const phases = call.phases.map((phase) => ({
    ...phase,
    heard: Object.fromEntries(
      Object.keys(phase.expected).map((party) => {
        const sound = heard.get(party);
        return [party, sound ? heardIn(sound, phase, tones).map(own).toSorted() : []];
      }),
    ),
  }));
  const ends = await Promise.all(
    endsOf(call).map(async ({ party, atMs, source, withinMs = 0 }) => {
      const { answeredAtMs = 0, endedAtMs = 0 } = call.parties.get(party)?.leg() ?? {};
      const stalledMs =
        (await stalls.totalBetween(answeredAtMs - recoveryMs, answeredAtMs)) +
        (await stalls.totalBetween(Math.min(atMs, endedAtMs) - recoveryMs, endedAtMs));
      return { party, source, errorMs: Math.round(endedAtMs - atMs), withinMs, stalledMs };
    }),
  );
  const gaps = call.movedWhileTalking.flatMap(({ fromMs, toMs }) =>
    [
      ['A', 'B'],
      ['B', 'A'],
    ].map(([listener = '', speaker = '']) => {
      const sound = heard.get(listener);
      const hertz = call.tones.get(speaker) ?? 0;
      return { listener, speaker, ms: sound ? longestGapMs(sound, hertz, fromMs, toMs) : Number.NaN };
    }),
  );
  const file = join(platform.engines.node.recordingsDir, `${call.callId}.wav`);
  const recording = existsSync(file) ? secondsOfTones(await readClosedWav(file), call.tones) : {};
  return { name, phases, ends, gaps, recording };
}

/** Returns when each leg has to end: with its limit, or when it is the last one of its call. */
function endsOf({ limits }: ControlledCall): Limit[] {
  const ofCall = limits.filter(({ party }) => party !== 'S').toSorted((one, other) => one.atMs - other.atMs);
  const [beforeLast, last] = ofCall.slice(-2);
  return limits.map((limit) =>
    limit === last && beforeLast && beforeLast.atMs < limit.atMs
      ? { ...limit, atMs: beforeLast.atMs, source: 'none: alone' }
      : limit,
  );
}
