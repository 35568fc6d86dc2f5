import { expect } from 'vitest';
import { type EdgeScene, presenceOf, sceneOn, type TestEdge } from '../edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../edge/sip-client.ts';
import { headerOf, type SipMessage, statusOf } from '../edge/sip-message.ts';
import { extensionBody } from '../extensions/scene.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

/** An extension made by the API, with what its desk phone logs in with. */
export interface TestExtension extends Credentials {
  id: number;
  path: string;
}

/** What a browser logs in with. */
export interface TestSession extends Credentials {
  id: string;
  path: string;
}

/** The API and an edge on one database. */
export interface SessionScene {
  platform: Platform;
  account: TestAccount;
  edges: EdgeScene;
  edge: TestEdge;
  newExtension(of?: TestAccount): Promise<TestExtension>;
  open(extension: TestExtension, of?: TestAccount): Promise<TestSession>;
  phone(address?: string): Promise<SipClient>;
  /** A phone that speaks by WebSocket. */
  browser(): Promise<SipClient>;
  /** Registers from a phone of its own. */
  logIn(who: Credentials): Promise<SipClient>;
  isRegistered(extension: Credentials): Promise<boolean>;
  close(): Promise<void>;
}

export async function startSessionScene(): Promise<SessionScene> {
  const platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  const account = await createAccount(platform);
  const edges = await sceneOn(platform.database);
  const edge = await edges.startEdge();
  const clients: SipClient[] = [];
  const keep = (client: SipClient): SipClient => {
    clients.push(client);
    return client;
  };
  const phone = async (address = '127.0.0.1') =>
    keep(await openSipClient({ server: edge.public, local: { address } }));
  return {
    platform,
    account,
    edges,
    edge,
    async newExtension({ admin, domain } = account) {
      const body = extensionBody();
      const { body: made } = await admin.client.post('/extensions', body);
      const path = `/extensions/${made.id}/phone-sessions`;
      return { id: made.id, path, ramal: String(body.ramal), senha: String(body.senha), domain };
    },
    async open({ path }, { admin } = account) {
      const { body } = await admin.client.post(path);
      const { id, ramal, username: identity, password: senha, domain } = body;
      return { id, ramal, identity, senha, domain, path: `${path}/${id}` };
    },
    phone,
    browser: async () => keep(await openSipClient({ server: edge.wss, transport: 'wss' })),
    async logIn(who) {
      const client = await phone();
      expect(statusOf(await client.register(who))).toBe(200);
      return client;
    },
    isRegistered: async (extension) =>
      (await presenceOf(platform.database, extension))?.isRegistered ?? false,
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await edges.close();
      await platform.close();
    },
  };
}

export const grantedSeconds = (answer: SipMessage): number =>
  Number(/expires=(\d+)/.exec(headerOf(answer, 'Contact'))?.[1]);

/** Leaves a session this many seconds, instead of waiting for its end. */
export async function shorten({ database }: Platform, { id }: TestSession, seconds: number): Promise<void> {
  await database.query(
    `update phone_sessions set expires_at = now() + $2 * interval '1 second' where id = $1`,
    [id, seconds],
  );
}
