import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { inDev } from '../../../../tools/dev/paths.ts';
import { startRedis } from '../../../../tools/dev/services/redis.ts';
import { openRedis } from '../../../src/platform/redis/redis.ts';
import { createWaker, listenForWakes } from '../../../src/platform/redis/wake.ts';

test('a listener survives repeated kills of Redis and is woken by the next instance', async () => {
  const redis = await startRedis({ dir: inDev('test', 'chaos-redis') });
  onTestFinished(() => redis.stop('kill'));
  let wakes = 0;
  const listener = listenForWakes(redis.url, 'chaos');
  const sender = openRedis(redis.url, () => undefined);
  onTestFinished(() => {
    listener.close();
    sender.disconnect();
  });
  listener.onWake(() => {
    wakes += 1;
  });
  // An uncaught error would end the process, and with it the test.
  for (let round = 0; round < 6; round += 1) {
    await untilWoken(createWaker(sender, 'chaos'), () => wakes);
    await redis.restart('kill');
  }
  await untilWoken(createWaker(sender, 'chaos'), () => wakes);
  expect(wakes).toBeGreaterThan(6);
});

async function untilWoken(wake: () => void, count: () => number): Promise<void> {
  const before = count();
  const deadline = Date.now() + 120_000;
  while (count() === before) {
    if (Date.now() > deadline) throw new Error('No wake-up arrived.');
    wake();
    await sleep(20);
  }
}
