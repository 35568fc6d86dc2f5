import { appendFile, mkdtemp, readdir, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Controller } from '../../../src/adapters/asterisk/shipper/controller.ts';
import { createRecordingShipper } from '../../../src/adapters/asterisk/shipper/ship-recordings.ts';
import { shipRecords } from '../../../src/adapters/asterisk/shipper/ship-records.ts';
import { wav } from '../../harness/fixtures/recordings.ts';

let directory: string;
let file: string;
let received: unknown[];
let isUnavailable: boolean;
let uploads: number;

const controller: Controller = {
  async sendRecords(lines) {
    if (isUnavailable) throw new Error('unavailable');
    received.push(...lines);
  },
  async sendRecording() {
    uploads += 1;
    return false;
  },
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'disca-shipper-'));
  file = join(directory, 'cdr.json');
  [received, isUnavailable, uploads] = [[], false, 0];
});
afterEach(() => rm(directory, { recursive: true }));

const write = (to: string, ...numbers: number[]) =>
  appendFile(to, numbers.map((number) => `${JSON.stringify({ number })}\n`).join(''));

const numbers = () => received.map((line) => (line as { number: number }).number);

test('ships each record once, and a line only when it is complete', async () => {
  await write(file, 1, 2);
  await appendFile(file, '{"number":');
  await shipRecords(controller, file);
  await shipRecords(controller, file);
  await appendFile(file, '3}\n');
  await shipRecords(controller, file);
  expect(numbers()).toEqual([1, 2, 3]);
});

test('ships records written during a rotation, even if the controller was down at the time', async () => {
  await write(file, 1);
  await shipRecords(controller, file);
  await rename(file, `${file}.1`);
  await write(`${file}.1`, 2);
  await write(file, 3);
  isUnavailable = true;
  await expect(shipRecords(controller, file)).rejects.toThrow('unavailable');
  isUnavailable = false;
  await shipRecords(controller, file);
  await shipRecords(controller, file);
  expect(numbers()).toEqual([1, 2, 3]);
});

test('rotates a large file once it is shipped and starts a new one', async () => {
  await write(file, 1);
  await shipRecords(controller, file);
  await truncate(file, 33 * 1024 * 1024);
  await appendFile(file, '\n');
  await write(file, 2);
  await shipRecords(controller, file);
  expect((await readdir(directory)).sort()).toEqual(['cdr.json.1', 'cdr.json.shipped']);
  await write(file, 3);
  await shipRecords(controller, file);
  expect(numbers()).toEqual([1, 2, 3]);
});

test('bytes without a line end, as left by a crash, do not block later records', async () => {
  await writeFile(file, Buffer.alloc(3 * 1024 * 1024));
  await appendFile(file, '\n');
  await write(file, 1);
  await shipRecords(controller, file);
  expect(numbers()).toEqual([1]);
});

const recordingName = '019a8f00-0000-7000-8000-000000000000.wav';

test('bug: AUDIO-05 ships a recording only after the engine has closed it, or long after the engine has ended', async () => {
  const name = join(directory, recordingName);
  const closed = wav(3);
  const open = Buffer.from(closed.subarray(0, 32_812));
  open.writeUInt32LE(0, 4);
  open.writeUInt32LE(0, 40);
  await writeFile(name, open);
  const start = Date.now();
  const ship = createRecordingShipper(controller, directory, (error) => {
    throw error;
  });
  await ship(start + 29_000);
  expect(uploads).toBe(0);
  await writeFile(name, closed);
  await ship(start + 29_001);
  expect(uploads).toBe(1);
  await writeFile(name, open);
  const abandonedAtMs = Date.now();
  await ship(abandonedAtMs + 31_000);
  expect(uploads).toBe(2);
});

test('retries a rejected recording with back-off, and immediately when the file changes', async () => {
  const name = join(directory, recordingName);
  await writeFile(name, wav(1));
  const start = Date.now();
  const ship = createRecordingShipper(controller, directory, (error) => {
    throw error;
  });
  const anHour = async (from: number) => {
    for (let second = 0; second < 3_600; second += 1) await ship(from + second * 1_000);
  };
  await anHour(start + 2_000);
  expect(uploads).toBeGreaterThan(10);
  expect(uploads).toBeLessThan(20);
  const before = uploads;
  const changedAt = start + 3_700_000;
  await utimes(name, changedAt / 1000, changedAt / 1000);
  await ship(changedAt + 2_000);
  expect(uploads).toBe(before + 1);
});
