import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../chaos/random.ts';
import type { CallResult } from './measure-call.ts';
import { planCalls } from './plan.ts';
import { openSummary } from './summary.ts';

const dir = mkdtempSync(join(tmpdir(), 'audio-'));
afterAll(() => rmSync(dir, { recursive: true }));

const [planned] = planCalls(createRandom(1), 1);
if (!planned) throw new Error('There is no call.');
const result = (name: string): CallResult => ({
  name,
  planned,
  directions: [],
  recording: undefined,
  error: undefined,
  isExcused: false,
  stalledMs: 3,
});

test('a summary adds up the calls of several runs and knows which calls of a seed are done', () => {
  const file = join(dir, 'summary');
  expect(openSummary(file).results()).toEqual([]);
  openSummary(file).add(1, result('1 dialled udp'));
  openSummary(file).add(2, result('1 inbound tcp'));
  openSummary(file).add(2, result('2 inbound tls'));
  expect(openSummary(file).results()).toHaveLength(3);
  expect([...openSummary(file).namesOf(2)]).toEqual(['1 inbound tcp', '2 inbound tls']);
});
