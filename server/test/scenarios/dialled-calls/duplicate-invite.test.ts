import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { statusOf as sipStatus } from '../../harness/edge/sip-message.ts';
import { readBalance } from '../../harness/fixtures/billing.ts';
import { listedCalls, whenListed } from '../../harness/fixtures/dialled-calls.ts';
import type { TestAccount } from '../../harness/people.ts';
import { numberEnding, whenCarrierRings } from '../../harness/voice/lines.ts';
import {
  type Line,
  startVoicePlatform,
  type VoicePlatform,
  whenCall,
} from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;
let client: SipClient;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  line = await platform.addLine(account);
  const [address = '', port] = platform.engines.edgeAddress.split(':');
  client = await openSipClient({ server: { address, port: Number(port) } });
});
afterAll(async () => {
  await client?.close();
  await platform?.close();
});

/** Sends a call as the edge sends it to another node: all headers are new except the Call-ID. */
async function bring(callId: string, called: string): Promise<number> {
  const { address, port } = client.local;
  const { ramal, senha } = line;
  const { domain } = account;
  const answer = await client.askAs(
    { ramal, domain, senha },
    {
      startLine: `INVITE sip:${called}@${domain} SIP/2.0`,
      headers: [
        ['From', `<sip:${ramal}@${domain}>;tag=${randomBytes(4).toString('hex')}`],
        ['To', `<sip:${called}@${domain}>`],
        ['Call-ID', callId],
        ['Contact', `<sip:${ramal}@${address}:${port}>`],
      ],
    },
  );
  return answer ? sipStatus(answer) : 0;
}

test('a call sent a second time while it is live is rejected, and dialled and held once', async () => {
  // The phone chooses the Call-ID, which may contain anything.
  const callId = `${randomBytes(8).toString('hex')},Ramal:(1)"\${EXTEN}`;
  const to = numberEnding('19');
  const first = bring(callId, to);
  const { id } = await whenListed(account, { to });
  await whenCarrierRings(platform, id);
  const { held } = await readBalance(account);
  expect(await bring(callId, to)).toBe(503);
  expect(platform.engines.simulator.carrierCalls().filter(({ number }) => number === to)).toHaveLength(1);
  expect(await listedCalls(account)).toHaveLength(1);
  expect(await readBalance(account)).toMatchObject({ held });

  expect((await account.admin.client.post(`/calls/${id}/hangup`)).status).toBe(200);
  await whenCall(account, id, 'ended');
  expect(await first).toBeGreaterThanOrEqual(400);
  expect(await bring(callId, numberEnding('17')), 'it is over').toBe(486);
});
