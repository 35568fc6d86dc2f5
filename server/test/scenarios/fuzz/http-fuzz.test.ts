import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Identity, startIdentity } from '../../harness/identity/sso-account.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { fuzz } from './fuzz.ts';
import { findProblems } from './report.ts';

let identity: Identity;
let platform: Platform;

beforeAll(async () => {
  identity = await startIdentity('http://console.disca.test');
  const settings = { ...identity.settings, RATE_LIMIT_SCALE: '1000000' };
  platform = await startPlatform(settings, { identity: identity.override });
});
afterAll(async () => {
  await platform?.close();
  await identity?.close();
});

test('10,000 generated requests get no 5xx and no undescribed response', {
  timeout: 1_800_000,
}, async () => {
  // The same requests in every run. ./dev fuzz http generates new ones and more; each finding gets its own test.
  const seed = Number(process.env.FUZZ_SEED ?? 20_261_115);
  const { app, document, check, api, database, logLines } = platform;
  const report = await fuzz(
    { app, document, check, api, identity, query: database.query },
    { count: 10_000, seed, onRound: () => logLines.splice(0) },
  );
  expect({ seed, problems: findProblems(report) }).toEqual({ seed, problems: [] });
});
