import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
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

test('a listener notices that the machine of Redis was lost, and is woken by the next one', async () => {
  const redis = await startRedis({ dir: inDev('test', 'silent-redis') });
  onTestFinished(() => redis.stop('kill'));
  const link = await openLink(redis.port);
  let wakes = 0;
  const listener = listenForWakes(`redis://127.0.0.1:${link.port}`, 'lost');
  const sender = openRedis(redis.url, () => undefined);
  onTestFinished(() => {
    listener.close();
    sender.disconnect();
    link.close();
  });
  listener.onWake(() => {
    wakes += 1;
  });
  await untilWoken(createWaker(sender, 'lost'), () => wakes);
  link.silence();
  await untilWoken(createWaker(sender, 'lost'), () => wakes);
});

/** Forwards connections to a port. Silenced connections stay open and carry nothing, as after a power loss. */
async function openLink(port: number) {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.push(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function untilWoken(wake: () => void, count: () => number): Promise<void> {
  const before = count();
  const deadline = Date.now() + 120_000;
  while (count() === before) {
    if (Date.now() > deadline) throw new Error('No wake-up arrived.');
    wake();
    await sleep(20);
  }
}
