import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../harness/until.ts';
import { liftCaps } from '../../harness/voice/lines.ts';
import { readClosedWav } from '../../harness/voice/tones.ts';
import { startVoicePlatform, type VoicePlatform, whenCall } from '../../harness/voice/voice-platform.ts';
import { type Stalls, watchStalls } from '../audio/stalls.ts';
import { moveVoiceOut, type VoiceProcess } from '../chaos/voice-process.ts';
import { type ControlledCall, type Limit, placeCall } from './controlled-call.ts';
import { type Heard, heardIn, longestGapMs, readHeard, secondsOfTones } from './hearing.ts';
import { formatResults, type SceneResult } from './results.ts';
import { heldCalls, type Scene, transferredCalls } from './scenes.ts';

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
  // Recordings stay on the node until they have been read.
  await platform.stopShipping();
  voice = await moveVoiceOut(platform);
});
afterAll(async () => {
  await voice?.kill();
  await platform?.close();
  await stalls?.stop();
});

test('CTRL-02 CTRL-03 CTRL-04 CTRL-10 CTRL-11 held and muted legs keep their limits without voice', () =>
  playRounds(heldCalls));

test('CTRL-15 CTRL-16 CTRL-17 CTRL-18 CTRL-20 CTRL-27 transferred and joined parties hear whom they should, with and without voice', () =>
  playRounds(transferredCalls));

async function playRounds(scenes: readonly Scene[]): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const results = await runRound(scenes);
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
  }
}

interface Played {
  scene: Scene;
  call: ControlledCall;
}

async function runRound(scenes: readonly Scene[]): Promise<SceneResult[]> {
  const account = await platform.addAccount();
  await liftCaps(platform, account);
  const lines = await Promise.all(
    scenes.map(() => platform.addLine(account, { extension: { gravar_audio: 1 } })),
  );
  const other = await platform.addLine(account);
  const played = await Promise.all(
    scenes.map(async (scene, index): Promise<Played> => {
      const line = lines[index] ?? other;
      return { scene, call: await placeCall(platform, line, other) };
    }),
  );
  await Promise.all(played.map(({ scene, call }) => scene.before(call)));
  await Promise.all(played.map(async ({ scene, call }) => await scene.atKill?.(call)));
  await voice.kill();
  await Promise.all(played.map(({ scene, call }) => scene.whileDead(call)));
  await Promise.all(played.filter(({ scene }) => !scene.after).map(({ call }) => whenReleased(call)));
  await voice.start();
  await Promise.all(played.map(async ({ scene, call }) => await scene.after?.(call)));
  await Promise.all(played.map(({ call }) => whenReleased(call)));
  expect((await platform.engines.node.ask('GET', '/channels')).body).toEqual([]);
  const results = await readResults(played);
  // The ends of legs while voice was dead are known from the detail records.
  platform.startShipping();
  for (const { scene, call } of played) {
    const record = await whenCall(account, call.callId, 'ended');
    const cause = scene.endsByLimit ? 'ALLOTTED_TIMEOUT' : 'NORMAL_CLEARING';
    expect(record, scene.name).toMatchObject({ hangup_cause: cause, on_hold: false });
    const [stored] = await platform.database.query<{ legs: unknown[] }>(
      'select legs from calls where id = $1',
      [call.callId],
    );
    expect(stored?.legs, scene.name).toHaveLength(call.legCount);
  }
  await platform.stopShipping();
  return results;
}

async function readResults(played: readonly Played[]): Promise<SceneResult[]> {
  const all = new Map(
    played.flatMap(({ call }, index) =>
      [...call.tones].map(([name, hertz]) => [name === 'music' ? name : `${index}${name}`, hertz] as const),
    ),
  );
  return await Promise.all(
    played.map(({ scene, call }, index) => resultOf(scene.name, call, String(index), all)),
  );
}

const whenReleased = ({ parties }: ControlledCall) =>
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
        const where = `${name}, ${phase.name}, ${party}`;
        return [party, sound ? heardIn(sound, phase, tones, where).map(own).toSorted() : []];
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
  const gaps = call.movedWhileTalking.flatMap(({ fromMs, toMs }) => {
    const sound = heard.get('A');
    const hertz = call.tones.get('B') ?? 0;
    return [
      { listener: 'A', speaker: 'B', ms: sound ? longestGapMs(sound, hertz, fromMs, toMs) : Number.NaN },
    ];
  });
  const file = join(platform.engines.node.recordingsDir, `${call.callId}.wav`);
  const recording = existsSync(file) ? secondsOfTones(await readClosedWav(file), call.tones) : {};
  return { name, phases, ends, gaps, recording };
}

/** Returns when each leg has to end: with its limit, or when it is the last one of its call. */
function endsOf({ limits }: ControlledCall): Limit[] {
  const sorted = limits.toSorted((one, other) => one.atMs - other.atMs);
  const [beforeLast, last] = sorted.slice(-2);
  return limits.map((limit) =>
    limit === last && beforeLast && beforeLast.atMs < limit.atMs
      ? { ...limit, atMs: beforeLast.atMs, source: 'none: alone' }
      : limit,
  );
}
