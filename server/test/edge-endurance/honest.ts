import { setTimeout as sleep } from 'node:timers/promises';
import { inviteTo, withinCall } from '../edge/calls.ts';
import type { Credentials, SipClient } from '../edge/sip-client.ts';
import { statusOf } from '../edge/sip-message.ts';

export interface Honest {
  asked: number;
  failed: number;
  tookMs: number[];
}

export interface HonestPhone {
  client: SipClient;
  who: Credentials;
}

/** Asks at an even pace until it is told to stop, and waits for what is still going on. */
export function keepAsking(perSecond: number, ask: (index: number) => Promise<boolean>) {
  const told: Honest = { asked: 0, failed: 0, tookMs: [] };
  const going: Promise<void>[] = [];
  const startedAt = performance.now();
  let isOver = false;
  const askOne = async (index: number): Promise<void> => {
    const askedAt = performance.now();
    if (await ask(index)) told.tookMs.push(performance.now() - askedAt);
    else told.failed += 1;
  };
  const pump = (async () => {
    while (!isOver) {
      const due = ((performance.now() - startedAt) * perSecond) / 1000;
      while (told.asked < due) going.push(askOne(told.asked++));
      await sleep(5);
    }
  })();
  return {
    async stop(): Promise<Honest> {
      isOver = true;
      await pump;
      await Promise.all(going);
      return told;
    },
  };
}

/** Each phone logs in again and again, one login after the other, until it is told to stop. */
export function keepLoggingIn(phones: HonestPhone[], pauseMs: number) {
  const told: Honest = { asked: 0, failed: 0, tookMs: [] };
  let isOver = false;
  const pump = phones.map(async (phone) => {
    while (!isOver) {
      const askedAt = performance.now();
      told.asked += 1;
      if (await logIn(phone)) told.tookMs.push(performance.now() - askedAt);
      else told.failed += 1;
      await sleep(pauseMs);
    }
  });
  return {
    async stop(): Promise<Honest> {
      isOver = true;
      await Promise.all(pump);
      return told;
    },
  };
}

/** A whole call from a media node: the phone rings, answers, and the node hangs up. */
export async function callPhone(node: SipClient, { who }: HonestPhone): Promise<boolean> {
  const invite = inviteTo(node, who);
  const answer = await node.ask(invite);
  if (!answer || statusOf(answer) !== 200) return false;
  node.send(nodeVia(node, withinCall(invite, answer, 'ACK')));
  const bye = await node.ask(withinCall(invite, answer, 'BYE'));
  return bye !== undefined && statusOf(bye) === 200;
}

/** A login with a Call-ID of its own is a new one; without, it refreshes the one before. */
export async function logIn({ client, who }: HonestPhone, callId?: string): Promise<boolean> {
  const registration = callId === undefined ? who : { ...who, callId };
  return statusOf(await client.register(registration)) === 200;
}

const nodeVia = (node: SipClient, message: ReturnType<typeof withinCall>): typeof message => ({
  ...message,
  headers: [
    ['Via', `SIP/2.0/UDP ${node.local.address}:${node.local.port};branch=z9hG4bKack${Math.random()}`],
    ['Max-Forwards', '70'],
    ...message.headers,
  ],
});
