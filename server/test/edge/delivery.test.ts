import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerCalls, inviteTo, openMediaNode, withinCall, withinCallFromPhone } from './calls.ts';
import { type EdgeScene, startScene, type TestEdge } from './edge.ts';
import { type Credentials, openSipClient, type SipClient } from './sip-client.ts';
import { headerOf, headersOf, methodOf, statusOf } from './sip-message.ts';

let scene: EdgeScene;
let edge: TestEdge;
let node: SipClient;
const clients: SipClient[] = [];
let numbers = 2000;

beforeAll(async () => {
  scene = await startScene();
  edge = await scene.startEdge();
  node = await openMediaNode(scene, edge);
  clients.push(node);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await scene.close();
});

async function registered(
  transport: 'udp' | 'tcp' = 'udp',
): Promise<{ phone: SipClient; extension: Credentials }> {
  numbers += 1;
  const extension = await scene.addExtension(String(numbers));
  const phone = await openSipClient({ server: edge.public, transport });
  clients.push(phone);
  expect(statusOf(await phone.register(extension))).toBe(200);
  return { phone, extension };
}

test.for(['udp', 'tcp'] as const)(
  'a call reaches the phone over %s, and both ends talk within it',
  async (transport) => {
    const { phone, extension } = await registered(transport);
    answerCalls(phone);
    const invite = inviteTo(node, extension, [
      ['X-Disca-Call-Id', 'c0ffee'],
      ['X-Disca-Not-After', String(Math.floor(Date.now() / 1000) + 5)],
      ['X-Disca-Other', 'private'],
    ]);
    const answer = await node.ask(invite);
    expect(answer?.startLine).toBe('SIP/2.0 200 OK');
    const arrived = await phone.waitFor((request) => methodOf(request) === 'INVITE');
    expect(headerOf(arrived, 'X-Disca-Call-Id')).toBe('c0ffee');
    expect(arrived.headers.map(([name]) => name).filter((name) => name.startsWith('X-Disca'))).toHaveLength(
      1,
    );

    if (!answer) throw new Error('There is no answer.');
    void node.ask(withinCall(invite, answer, 'ACK'), 1);
    await phone.waitFor((request) => methodOf(request) === 'ACK');
    expect(statusOf((await node.ask(withinCall(invite, answer, 'INFO'))) ?? answer)).toBe(200);
    expect(headersOf(await phone.waitFor((request) => methodOf(request) === 'INFO'), 'Route')).toEqual([]);

    answerCalls(node);
    const bye = await phone.ask(withinCallFromPhone(arrived, answer, 'BYE'));
    expect(bye?.startLine).toBe('SIP/2.0 200 OK');
  },
);
