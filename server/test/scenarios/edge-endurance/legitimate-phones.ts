import { setTimeout as sleep } from 'node:timers/promises';
import { inviteTo, withinCall } from '../../harness/edge/calls.ts';
import type { Credentials, SipClient } from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';

export interface Results {
  asked: number;
  /** Unexpected or missing responses. */
  faults: string[];
  /** Durations of the successful requests. */
  tookMs: number[];
}

/** Description of a fault; undefined for success. */
type Fault = string | undefined;

export interface LegitimatePhone {
  client: SipClient;
  who: Credentials;
}

/** Sends requests at an even rate until stopped, and waits for those in progress. */
export function startRequests(perSecond: number, ask: (index: number) => Promise<Fault>) {
  const results: Results = { asked: 0, faults: [], tookMs: [] };
  const going: Promise<void>[] = [];
  const startedAt = performance.now();
  let isOver = false;
  const askOne = async (index: number): Promise<void> => {
    await note(results, () => ask(index));
  };
  const askWhatIsDue = (): void => {
    const due = ((performance.now() - startedAt) * perSecond) / 1000;
    while (results.asked < due) going.push(askOne(results.asked++));
  };
  const pump = (async () => {
    while (!isOver) {
      askWhatIsDue();
      await sleep(5);
    }
  })();
  return {
    async stop(): Promise<Results> {
      isOver = true;
      await pump;
      askWhatIsDue();
      await Promise.all(going);
      return results;
    },
  };
}

/** Starts phones that register repeatedly, one registration after the other, until stopped. */
export function startRegistrations(phones: LegitimatePhone[], pauseMs: number) {
  const results: Results = { asked: 0, faults: [], tookMs: [] };
  let isOver = false;
  const pump = phones.map(async (phone) => {
    while (!isOver) {
      results.asked += 1;
      await note(results, () => logIn(phone));
      await sleep(pauseMs);
    }
  });
  return {
    async stop(): Promise<Results> {
      isOver = true;
      await Promise.all(pump);
      return results;
    },
  };
}

async function note(results: Results, ask: () => Promise<Fault>): Promise<void> {
  const askedAt = performance.now();
  const fault = await ask();
  if (fault === undefined) results.tookMs.push(performance.now() - askedAt);
  else results.faults.push(fault);
}

/** Runs a whole call from a media node: the phone rings, answers, and the node hangs up. */
export async function callPhone(node: SipClient, { who }: LegitimatePhone): Promise<Fault> {
  const invite = inviteTo(node, who);
  const answer = await node.ask(invite);
  if (!answer || statusOf(answer) !== 200) return `INVITE: ${answer?.startLine ?? 'no response'}`;
  node.send(nodeVia(node, withinCall(invite, answer, 'ACK')));
  const bye = await node.ask(withinCall(invite, answer, 'BYE'));
  return bye && statusOf(bye) === 200 ? undefined : `BYE: ${bye?.startLine ?? 'no response'}`;
}

/** Registers anew with its own Call-ID; without one, refreshes the previous registration. */
export async function logIn({ client, who }: LegitimatePhone, callId?: string): Promise<Fault> {
  const answer = await client.register(callId === undefined ? who : { ...who, callId });
  return statusOf(answer) === 200 ? undefined : `REGISTER: ${answer.startLine || 'no response'}`;
}

const nodeVia = (node: SipClient, message: ReturnType<typeof withinCall>): typeof message => ({
  ...message,
  headers: [
    ['Via', `SIP/2.0/UDP ${node.local.address}:${node.local.port};branch=z9hG4bKack${Math.random()}`],
    ['Max-Forwards', '70'],
    ...message.headers,
  ],
});
