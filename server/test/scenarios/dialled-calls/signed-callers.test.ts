import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signCaller } from '../../../src/contexts/telephony/legs/caller-identity.ts';
import { openSipClient } from '../../harness/edge/sip-client.ts';
import { statusOf as sipStatus } from '../../harness/edge/sip-message.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { numberEnding } from '../../harness/voice/lines.ts';
import { type Line, startVoicePlatform, type VoicePlatform } from '../../harness/voice/voice-platform.ts';

let platform: VoicePlatform;
let account: TestAccount;
let line: Line;

beforeAll(async () => {
  platform = await startVoicePlatform();
  account = await platform.addAccount();
  line = await platform.addLine(account);
});
afterAll(() => platform?.close());

/** Opens a client that the node takes for an edge, and the headers with which an edge passes a call on. */
async function openEdgeClient() {
  const [edge] = platform.engines.edges;
  const [address = '', port] = platform.engines.node.sipAddress.split(':');
  const client = await openSipClient({
    server: { address, port: Number(port) },
    local: { address: edge?.place.private.address ?? '' },
  });
  await platform.database.query(
    'insert into edge.edges (id, sip_address, seen_at, signs) values (99, $1, now(), true)',
    [`${client.local.address}:${client.local.port}`],
  );
  const [signing] = await platform.database.query<{ number: number; key: string }>(
    'select number, key from edge.identity_keys order by number desc limit 1',
  );
  const pass = (
    to: string,
    {
      callId = randomBytes(8).toString('hex'),
      claims = {},
      secondsLeft = 60,
    }: { callId?: string; claims?: Partial<Claims>; secondsLeft?: number } = {},
  ): [string, string][] => {
    const notAfter = Math.floor(Date.now() / 1000) + secondsLeft;
    const claimed = { ramal: line.ramal, domain: account.domain, ...claims };
    const sip = createHash('md5')
      .update(claimed.signedCallId ?? callId)
      .digest('hex');
    const leg = { ...claimed, sip, called: claimed.signedNumber ?? to, notAfter };
    return [
      ['Call-ID', callId],
      ['X-Disca-Leg', '1-plain'],
      ['X-Disca-Ramal', line.ramal],
      ['X-Disca-Domain', account.domain],
      ['X-Disca-Not-After', String(notAfter)],
      ['X-Disca-Signature', `${signing?.number}.7.${signCaller(signing?.key ?? '', leg, '7')}`],
    ];
  };
  const ask = async (to: string, headers: [string, string][]): Promise<number> => {
    const answer = await client.ask({
      startLine: `INVITE sip:${to}@${account.domain} SIP/2.0`,
      headers: [
        ['From', `<sip:${line.ramal}@${account.domain}>;tag=${randomBytes(4).toString('hex')}`],
        ['To', `<sip:${to}@${account.domain}>`],
        ['Contact', `<sip:${line.ramal}@${client.local.address}:${client.local.port}>`],
        ...headers,
      ],
    });
    return answer ? sipStatus(answer) : 0;
  };
  const close = async () => {
    await platform.database.query('delete from edge.edges where id = 99');
    await client.close();
  };
  return { pass, ask, close };
}

/** What a signature says, if it is not the truth. */
interface Claims {
  ramal: string;
  domain: string;
  signedCallId: string;
  signedNumber: string;
}

test('a node rejects a call with contradictory edge headers', async () => {
  const edge = await openEdgeClient();
  const to = numberEnding('17');
  for (const name of ['X-Disca-Ramal', 'X-Disca-Domain', 'X-Disca-Not-After', 'X-Disca-Signature']) {
    const headers = edge.pass(to);
    const [, value = ''] = headers.find(([given]) => given === name) ?? [];
    expect(await edge.ask(to, [...headers, [name, value]]), name).toBe(403);
  }
  expect(await edge.ask(to, edge.pass(to))).toBe(486);
  await edge.close();
});

test('EXT-27 a dialled call that no edge has signed is refused, and each signature is accepted once', async () => {
  const edge = await openEdgeClient();
  const to = numberEnding('17');
  const signed = edge.pass(to);
  expect(await edge.ask(to, signed)).toBe(486);
  expect(await edge.ask(to, signed)).toBe(403);

  const unsigned = edge.pass(to).filter(([name]) => name !== 'X-Disca-Signature');
  expect(await edge.ask(to, unsigned)).toBe(403);
  for (const forged of ['1.', '1', '1.7', '1.7.'.padEnd(47, '0'), '999.7.'.padEnd(49, '0'), '..'])
    expect(await edge.ask(to, [...unsigned, ['X-Disca-Signature', forged]]), forged).toBe(403);
  const stranger = await platform.addAccount();
  const claims: Partial<Claims>[] = [
    { ramal: `${line.ramal}1` },
    { domain: stranger.domain },
    { signedCallId: 'another' },
    { signedNumber: numberEnding('16') },
  ];
  for (const claim of claims)
    expect(await edge.ask(to, edge.pass(to, { claims: claim })), JSON.stringify(claim)).toBe(403);
  // A node that works as it should refuses what has expired before it asks voice.
  expect(await edge.ask(to, edge.pass(to, { secondsLeft: -1 }))).toBe(503);
  await edge.close();
});

test('EXT-27 calls without a signature are accepted while an edge of the previous release runs', async () => {
  const edge = await openEdgeClient();
  const to = numberEnding('17');
  const unsigned = () => edge.pass(to).filter(([name]) => name !== 'X-Disca-Signature');
  await platform.database.query("select edge.announce(98, '127.0.0.1:9')");
  await until(async () => (await edge.ask(to, unsigned())) === 486, 'unsigned calls are accepted');
  // A wrong signature is never accepted.
  expect(await edge.ask(to, edge.pass(to, { claims: { signedCallId: 'another' } }))).toBe(403);
  await platform.database.query('delete from edge.edges where id = 98');
  await until(async () => (await edge.ask(to, unsigned())) === 403, 'unsigned calls are refused');
  await edge.close();
});
