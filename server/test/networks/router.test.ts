import { afterAll, beforeAll, expect, test } from 'vitest';
import { numberEnding } from '../voice/harness/scene.ts';
import { readClosedWav, readWav, secondsOf, secondsOfTone } from '../voice/harness/tones.ts';
import { type Line, until, whenCall } from '../voice/harness/voice-platform.ts';
import { startWorld, type World } from './harness/world.ts';

let world: World;
let line: Line;
beforeAll(async () => {
  world = await startWorld();
  const account = await world.platform.addAccount();
  line = await world.platform.addLine(account, {
    simulator: world.phonesAtHome,
    phone: { behaviour: 'tone' },
  });
});
afterAll(() => world?.close());

test('CALL-14 a phone behind a router is rung, and each side hears the other', async () => {
  const { phonesAtHome, platform } = world;
  const id = await line.call(numberEnding('95'));
  await whenCall(line.account, id, 'answered');
  await until(async () => secondsOf(readWav(phonesAtHome.heard(id, 'phone'))) > 3, 'both talked');
  await phonesAtHome.hangUpPhone(id);
  await whenCall(line.account, id, 'ended');
  expect(
    secondsOfTone(await readClosedWav(platform.engines.simulator.heard(id, 'carrier')), 440),
  ).toBeGreaterThan(2);
  expect(secondsOfTone(await readClosedWav(phonesAtHome.heard(id, 'phone')), 1_000)).toBeGreaterThan(2);
});
