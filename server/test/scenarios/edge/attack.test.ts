import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domain, type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient } from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';
import { type Scan, startScan } from './sipvicious.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
const scratch = mkdtempSync(join(tmpdir(), 'guesses-'));

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge();
});
afterAll(async () => {
  await fixture.close();
  rmSync(scratch, { recursive: true, force: true });
});

function dictionary(name: string, words: string[]): string {
  const file = join(scratch, name);
  writeFileSync(file, words.map((word) => `${word}\n`).join(''));
  return file;
}

const guesses = (count: number): string[] => Array.from({ length: count }, (_, index) => `guess-${index}`);

const crack = (from: string, ramal: string, words: string): Scan =>
  startScan('svcrack', from, edge.public, [
    '-u',
    ramal,
    '-d',
    words,
    '--domain',
    domain,
    '--maximumtime',
    '60',
    '-v',
  ]);

test('svcrack finds a password among its first guesses, so it does work against this edge', async () => {
  const extension = await fixture.addExtension('8001');
  const words = dictionary('short', ['guess-1', extension.senha]);
  expect(await crack('127.0.3.1', '8001', words).output).toContain(extension.senha);
});

test('svcrack does not find a password that is behind a thousand others, because its guesses are dropped', async () => {
  const extension = await fixture.addExtension('8002');
  const scan = crack('127.0.3.2', '8002', dictionary('long', [...guesses(1000), extension.senha]));
  const ban = 'ban pair address=127.0.3.2 extension=8002@acme.disca.test failures=5';
  await expect.poll(() => edge.log()).toContain(ban);
  await sleep(3_000);
  scan.end();
  expect(await scan.output).not.toContain(extension.senha);
});

test('svcrack on several extensions gets its address banned', async () => {
  const words = dictionary('few', guesses(4));
  const scans = ['8011', '8012', '8013', '8014'].map((ramal) => crack('127.0.3.3', ramal, words));
  const ban = /ban address=127\.0\.3\.3 failures=\d+ extensions=4/;
  await expect.poll(() => edge.log()).toMatch(ban);
  for (const scan of scans) scan.end();
  await Promise.all(scans.map(({ output }) => output));
});

test('during an attack a legitimate phone registers in at most twice the normal time', async () => {
  const extension = await fixture.addExtension('8003');
  const words = dictionary('endless', guesses(200_000));
  const peace: number[] = [];
  const attack: number[] = [];
  // Alternates between both, so that other load on the machine affects both equally.
  for (let round = 0; round < 4; round += 1) {
    peace.push(...(await measureLogins(extension, 60)));
    const scans = [
      crack(`127.0.4.${round}`, '8003', words),
      startScan('svwar', `127.0.5.${round}`, edge.public, [
        '-e',
        '1000-99999',
        '--domain',
        domain,
        '--force',
      ]),
    ];
    await sleep(1_000);
    attack.push(...(await measureLogins(extension, 60)));
    for (const scan of scans) scan.end();
    await Promise.all(scans.map((scan) => scan.output));
  }
  const [undisturbed, disturbed] = [median(peace), median(attack)];
  const durations = `${undisturbed.toFixed(2)} ms normally, ${disturbed.toFixed(2)} ms under attack`;
  expect(disturbed, durations).toBeLessThanOrEqual(2 * undisturbed);
});

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns the durations of `count` sequential registrations, each with its own Call-ID, in milliseconds. */
async function measureLogins(extension: Credentials, count: number): Promise<number[]> {
  const phone = await openSipClient({ server: edge.public, local: { address: '127.0.3.9' } });
  const times: number[] = [];
  for (let login = 0; login < count; login += 1) {
    const startedAt = performance.now();
    const callId = `${phone.callId}-${login}`;
    expect(statusOf(await phone.register({ ...extension, callId }))).toBe(200);
    times.push(performance.now() - startedAt);
  }
  await phone.close();
  return times;
}
