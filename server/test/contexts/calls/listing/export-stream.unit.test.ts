import { text } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { createExportSlots } from '../../../../src/contexts/calls/listing/export-slots.ts';
import { streamFile } from '../../../../src/contexts/calls/listing/export-stream.ts';

async function* pieces(...all: string[]): AsyncGenerator<string> {
  yield* all;
}

test('CALL-57 frees the slot before the file ends', async () => {
  const order: string[] = [];
  const file = streamFile(pieces('a', 'b'), () => order.push('free'));
  file.once('end', () => order.push('end'));
  expect(await text(file)).toBe('ab');
  expect(order.slice(0, 2)).toEqual(['free', 'end']);
});

test('CALL-57 aborts an export that the client does not read, and frees the slot', async () => {
  let isFree = false;
  const file = streamFile(
    pieces('a'),
    () => {
      isFree = true;
    },
    20,
  );
  await expect(finished(file)).rejects.toThrow('the client stopped reading');
  expect(isFree).toBe(true);
});

test('CALL-57 a slot is freed once, and the process has a limit', () => {
  const slots = createExportSlots();
  const take = (userId: number) => slots.take({ accountId: userId, userId }, null);
  const free = take(1);
  free();
  take(1);
  free();
  expect(() => take(1)).toThrow(expect.objectContaining({ code: 'CAPACITY_EXCEEDED' }));
  for (let user = 2; user <= 20; user += 1) take(user);
  expect(() => take(21)).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
});

test('CALL-57 exports take turns within their rows per second', async () => {
  const startedAtMs = performance.now();
  const turnsAtMs: number[] = [];
  const slots = createExportSlots(1_000, async (ms) => {
    turnsAtMs.push(performance.now() - startedAtMs + ms);
  });
  for (const rows of [100, 50, 1]) await slots.turn(rows);
  expect(turnsAtMs).toHaveLength(2);
  expect(turnsAtMs[0]).toBeGreaterThan(99.99);
  expect(turnsAtMs[1]).toBeGreaterThan(149.99);
});
