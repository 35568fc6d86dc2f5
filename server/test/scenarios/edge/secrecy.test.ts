import { afterAll, beforeAll, expect, test } from 'vitest';
import { domain, type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { type SipMessage, statusOf, writeMessage } from '../../harness/edge/sip-message.ts';
import { startScan } from './sipvicious.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
const clients: SipClient[] = [];
let lastOctet = 0;

const existing = ['7001', '7003', '7005'];
const missing = ['7002', '7004', '7006'];

beforeAll(async () => {
  fixture = await startEdges();
  // Bans and drops are disabled here, to compare what an attacker could learn without them.
  const never = 1_000_000;
  edge = await fixture.startEdge({
    FLOOD_REQUESTS: never,
    PAIR_FAILURES: never,
    ADDRESS_FAILURES: never,
    ADDRESS_EXTENSIONS: never,
    EXTENSION_FAILURES: never,
  });
  for (const ramal of existing) await fixture.addExtension(ramal);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});

async function guesser(): Promise<SipClient> {
  lastOctet += 1;
  const client = await openSipClient({ server: edge.public, local: { address: `127.0.2.${lastOctet}` } });
  clients.push(client);
  return client;
}

/** Returns a response without the parts that differ in every response or are copied from the request. */
function essence(answer: SipMessage | undefined): string {
  if (!answer) return 'silence';
  const own = answer.headers.filter(([name]) => !['Via', 'From', 'To', 'Call-ID', 'CSeq'].includes(name));
  return writeMessage({ ...answer, headers: own }).replace(/nonce="[^"]*"/, 'nonce');
}

const askFor = (ramal: string, method: string): { startLine: string; headers: [string, string][] } => ({
  startLine: `${method} sip:${method === 'REGISTER' ? '' : `${ramal}@`}${domain} SIP/2.0`,
  headers: [
    ['From', `<sip:${ramal}@${domain}>;tag=a`],
    ['To', `<sip:${ramal}@${domain}>`],
    ['Contact', '<sip:x@127.0.0.1:9>'],
  ],
});

test.for(['REGISTER', 'INVITE', 'OPTIONS', 'SUBSCRIBE'])(
  'an existing extension responds to %s like a missing one, with a wrong password and without',
  async (method) => {
    const client = await guesser();
    for (const withPassword of [false, true]) {
      const answers = new Set<string>();
      for (const ramal of [...existing, ...missing]) {
        const who: Credentials = { ramal, domain, senha: 'a-wrong-guess' };
        const request = askFor(ramal, method);
        answers.add(essence(await (withPassword ? client.askAs(who, request) : client.ask(request))));
      }
      expect([...answers]).toHaveLength(1);
    }
  },
);

test('rejecting takes the same time whether the extension exists or not', async () => {
  const client = await guesser();
  const times: Record<'existing' | 'missing', number[]> = { existing: [], missing: [] };
  const measure = async (kind: keyof typeof times, ramal: string): Promise<void> => {
    const startedAt = performance.now();
    expect(statusOf(await client.register({ ramal, domain, senha: 'a-wrong-guess' }))).toBe(403);
    times[kind].push(performance.now() - startedAt);
  };
  for (let round = 0; round < 200; round += 1) {
    await measure('existing', '7001');
    await measure('missing', '7002');
  }
  const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length / 2] ?? 0;
  const [present, absent] = [median(times.existing), median(times.missing)];
  const durations = `${present.toFixed(2)} ms if it exists, ${absent.toFixed(2)} ms if not`;
  expect(present / absent, durations).toBeGreaterThan(0.67);
  expect(present / absent, durations).toBeLessThan(1.5);
});

test.for(['REGISTER', 'INVITE', 'OPTIONS'])(
  'svwar with %s finds the edge and no extension',
  async (method) => {
    const from = `127.0.2.${100 + method.length}`;
    const range = ['-m', method, '-e', '6990-7010', '--domain', domain, '--force', '-v'];
    const output = await startScan('svwar', from, edge.public, range).output;
    expect(output).toContain('Ok SIP device found');
    expect(output).toContain('found nothing');
  },
);
