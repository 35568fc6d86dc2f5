import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type DatabaseLink, openDatabaseLink } from '../../harness/edge/database-link.ts';
import { type EdgeFixture, readPresence, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { headerOf, statusOf } from '../../harness/edge/sip-message.ts';

// Every process of an edge with two workers but the one for TCP connections.
const connections = 17;

let fixture: EdgeFixture;
let edge: TestEdge;
let link: DatabaseLink;
let phone: SipClient;
let extension: Credentials;

beforeAll(async () => {
  fixture = await startEdges(async (url) => {
    link = await openDatabaseLink(url);
    return link.url;
  });
  edge = await fixture.startEdge();
  // An edge responds and announces itself before all its processes are connected, and ends if one of them cannot be.
  const connected = () =>
    fixture.database.query(
      "select from pg_stat_activity where datname = current_database() and usename = 'disca_edge_test'",
    );
  await vi.waitFor(async () => expect(await connected()).toHaveLength(connections), { timeout: 120_000 });
  extension = await fixture.addExtension('5001');
  phone = await openSipClient({ server: edge.public });
});
afterAll(async () => {
  await phone.close();
  await fixture.close();
  await link.close();
});

test.for(['cut', 'hang'] as const)(
  'while the database is down (%s) a phone is asked to retry, never to authenticate again',
  async (how) => {
    expect(statusOf(await phone.register(extension))).toBe(200);
    link[how]();
    try {
      const answer = await phone.register(extension);
      expect(answer.startLine).toBe('SIP/2.0 503 Service Unavailable');
      expect(Number(headerOf(answer, 'Retry-After'))).toBeGreaterThan(0);
      // As soon as the edge has detected the outage, it rejects unauthenticated phones immediately.
      await expect.poll(askUnproved).toBe(503);
      expect((await readPresence(fixture.database, extension))?.isRegistered).toBe(true);
    } finally {
      link.mend();
    }
    await expect.poll(async () => statusOf(await phone.register(extension))).toBe(200);
  },
);

async function askUnproved(): Promise<number> {
  const answer = await phone.ask({
    startLine: `REGISTER sip:${extension.domain} SIP/2.0`,
    headers: [
      ['From', `<sip:5001@${extension.domain}>;tag=a`],
      ['To', `<sip:5001@${extension.domain}>`],
    ],
  });
  return answer ? statusOf(answer) : 0;
}

test('database failures do not count as failed logins', () => {
  expect(edge.log()).not.toContain('ban ');
  expect(edge.control('htable.dump', 'pair_failures')).not.toContain('5001');
});
