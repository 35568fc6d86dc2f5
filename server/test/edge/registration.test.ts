import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EdgeScene, presenceOf, startScene, type TestEdge } from './edge.ts';
import { openSipClient, type SipClient } from './sip-client.ts';
import { statusOf } from './sip-message.ts';

let scene: EdgeScene;
let edge: TestEdge;
const clients: SipClient[] = [];

beforeAll(async () => {
  scene = await startScene();
  edge = await scene.startEdge();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await scene.close();
});

async function phone(options: { transport?: 'udp' | 'tcp'; address?: string } = {}): Promise<SipClient> {
  const local = { address: options.address ?? '127.0.0.1' };
  const client = await openSipClient({ server: edge.public, local, transport: options.transport ?? 'udp' });
  clients.push(client);
  return client;
}

test('EXT-07 a softphone registers with the domain, the ramal and the senha, and is refused with another senha', async () => {
  const extension = await scene.addExtension('1001');
  const client = await phone();
  expect(statusOf(await client.register(extension))).toBe(200);
  expect(await presenceOf(scene.database, extension)).toMatchObject({ isRegistered: true, transport: 'udp' });

  const stranger = await phone();
  const refused = await stranger.register({ ...extension, senha: 'another-password' });
  expect(refused.startLine).toBe('SIP/2.0 403 Forbidden');
  expect((await presenceOf(scene.database, extension))?.callId).toBe(client.callId);
});
