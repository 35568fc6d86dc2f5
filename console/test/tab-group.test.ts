import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { joinTabGroup } from '../src/shared/tabs/tab-group.ts';

interface Message {
  kind: 'state';
  text: string;
}

function join(name: string, text: string) {
  const received: string[] = [];
  let isLeading = false;
  const group = joinTabGroup<Message>(name, {
    snapshot: () => ({ kind: 'state', text }),
    receive: (message, isLeader) => received.push(`${message.text}${isLeader ? ' to leader' : ''}`),
    async lead(signal) {
      isLeading = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      isLeading = false;
    },
  });
  return { ...group, received, isLeading: () => isLeading };
}

test('elects one leader, which sends its state to new tabs', async () => {
  const name = randomUUID();
  const first = join(name, 'first');
  first.requestLeadership();
  await expect.poll(first.isLeading).toBe(true);
  const second = join(name, 'second');
  second.requestLeadership();
  await expect.poll(() => second.received).toEqual(['first']);
  second.send({ kind: 'state', text: 'hi' });
  await expect.poll(() => first.received).toEqual(['hi to leader']);
  expect(second.isLeading()).toBe(false);
  first.leave();
  await expect.poll(second.isLeading).toBe(true);
  second.leave();
});

test('a tab that has left does not become the leader', async () => {
  const name = randomUUID();
  const first = join(name, 'first');
  first.requestLeadership(10);
  first.leave();
  const second = join(name, 'second');
  second.requestLeadership(20);
  await expect.poll(second.isLeading).toBe(true);
  expect(first.isLeading()).toBe(false);
  second.leave();
});
