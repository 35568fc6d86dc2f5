import { execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inDev } from '../../../../tools/dev/paths.ts';
import type { RunningKamailio } from '../../../../tools/dev/services/kamailio.ts';
import { chooseCell, edgeAddresses } from '../../../../tools/dev/voice/cell.ts';
import { startEdge } from '../../../../tools/dev/voice/edge.ts';
import type { EdgeSettings } from '../../../../tools/dev/voice/edge-values.ts';
import { requireRootfs } from '../../../../tools/dev/voice/rootfs.ts';
import { cloneDatabase, type TestDatabase } from '../database.ts';
import { digestKeys, testDigestKeys } from '../digest-keys.ts';
import { databaseUrl } from '../template.ts';
import type { Credentials } from './sip-client.ts';
import type { Address } from './sip-transport.ts';

export interface TestEdge {
  id: number;
  public: Address;
  tls: Address;
  wss: Address;
  private: Address;
  engine: RunningKamailio;
  /** Returns the complete log of the edge. */
  log(): string;
  /** Runs kamcmd and returns its output. */
  control(...command: string[]): string;
}

export interface EdgeFixture {
  database: TestDatabase;
  /** Starts one more edge on the same database. */
  startEdge(limits?: EdgeSettings['limits'], more?: Partial<EdgeSettings>): Promise<TestEdge>;
  addExtension(ramal: string, domain?: string): Promise<Credentials>;
  /** Adds a media node address, which the edges trust after their next reload. */
  addMediaNode(address: Address): Promise<void>;
  close(): Promise<void>;
}

export const domain = 'acme.disca.test';

const edgeRole = 'disca_edge_test';
const secrets = {
  nonceSecret: randomBytes(24).toString('hex'),
  dialogSecret: randomBytes(24).toString('hex'),
  digestKeys: testDigestKeys,
};

/** Creates a separate database with an account, and starts edges that connect to it by the given link. */
export async function startEdges(
  detour: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<EdgeFixture> {
  const database = await cloneDatabase();
  await addAccount(database, domain);
  const fixture = await startEdgesOn(database, detour);
  return {
    ...fixture,
    async close() {
      await fixture.close();
      await database.drop();
    },
  };
}

/** Starts edges on a database that the caller drops. */
export async function startEdgesOn(
  database: TestDatabase,
  detour: (databaseUrl: string) => Promise<string> = async (url) => url,
): Promise<EdgeFixture> {
  const edgeUrl = await detour(await edgeLogin(database));
  const edges: TestEdge[] = [];
  return {
    database,
    async startEdge(limits = {}, more = {}) {
      const edge = await startTestEdge(edges.length + 1, edgeUrl, limits, more);
      edges.push(edge);
      return edge;
    },
    addExtension: (ramal, at = domain) => addExtension(database, ramal, at),
    async addMediaNode({ address, port }) {
      await database.query(
        `insert into media_nodes (name, secret_hash, sip_address, created_at)
         values ($1, $2, $3, now())`,
        [`m${port}`, randomBytes(32), `${address}:${port}`],
      );
    },
    async close() {
      for (const { engine } of edges) {
        await engine.stop('kill');
        rmSync(engine.dir, { recursive: true, force: true });
      }
    },
  };
}

async function startTestEdge(
  id: number,
  url: string,
  limits: EdgeSettings['limits'],
  more: Partial<EdgeSettings>,
): Promise<TestEdge> {
  const place = edgeAddresses(await chooseCell(), id);
  const name = `edge-${place.public.address}`;
  const dir = inDev('test', 'voice', name);
  const engine = await startEdge({
    name,
    dir,
    addresses: place,
    databaseUrl: url,
    ...secrets,
    ...more,
    limits: { WORKERS: 2, PEERS_SECONDS: 1, ...limits },
  });
  return {
    ...place,
    engine,
    log: () => readFileSync(join(dir, 'log/messages'), 'latin1'),
    control: (...command) => kamcmd(join(dir, 'run/control.sock'), command),
  };
}

/** Runs the engine's kamcmd with the loader and libraries of the engine's root file system. */
export function kamcmd(socket: string, command: string[]): string {
  const rootfs = requireRootfs();
  const libraries = ['lib', 'usr/lib'].map((folder) => join(rootfs, folder, 'x86_64-linux-gnu')).join(':');
  const loader = join(rootfs, 'lib64/ld-linux-x86-64.so.2');
  const args = [
    '--library-path',
    libraries,
    join(rootfs, 'usr/sbin/kamcmd'),
    '-s',
    `unix:${socket}`,
    ...command,
  ];
  return execFileSync(loader, args, { encoding: 'utf8' });
}

/** Returns the database URL of an edge's role. Roles belong to the cluster, which all tests share. */
export async function edgeLogin({ query, ownerUrl }: TestDatabase): Promise<string> {
  await query(
    `do $$ begin
       perform pg_advisory_xact_lock(72114014);
       if not exists (select from pg_roles where rolname = '${edgeRole}') then
         create role ${edgeRole} login in role disca_edge;
       end if;
     end $$`,
  );
  return databaseUrl(ownerUrl, new URL(ownerUrl).pathname.slice(1), edgeRole);
}

export async function addAccount({ query }: TestDatabase, at: string): Promise<number> {
  const [row] = await query<{ id: number }>(
    `insert into accounts (uuid, domain, name, email, phone, crm, user_quantity, status, mode, created_at, updated_at)
     values ($1, $2, 'Acme', 'a@acme.test', '', '', '', 'active', 'test', now(), now()) returning id`,
    [randomUUID(), at],
  );
  return Number(row?.id);
}

async function addExtension({ query }: TestDatabase, ramal: string, at: string): Promise<Credentials> {
  const senha = randomBytes(9).toString('base64url');
  const ha1 = createHash('md5').update(`${ramal}:${at}:${senha}`).digest('hex');
  await query(
    `insert into extensions (account_id, ramal, senha_sealed, ha1_sealed, first_name, last_name, email_address, record_calls,
                             created_at, updated_at)
     select id, $1, '', $2, 'Ana', 'Lima', 'ana@acme.test', false, now(), now() from accounts where domain = $3`,
    [ramal, digestKeys.seal('k1', { username: ramal, domain: at }, ha1), at],
  );
  return { ramal, domain: at, senha };
}

export async function readPresence(
  { query }: TestDatabase,
  { ramal, domain: at }: Credentials,
): Promise<
  | { isRegistered: boolean; registeredAt: Date; callId: string; transport: string; userAgent: string }
  | undefined
> {
  const [row] = await query<{
    is: boolean;
    registered_at: Date;
    sip_call_id: string;
    transport: string;
    user_agent: string;
  }>(
    `select p.expires_at > now() as is, p.registered_at, p.sip_call_id, p.transport, p.user_agent
       from extension_presence p join extensions e on e.id = p.extension_id join accounts a on a.id = e.account_id
      where e.ramal = $1 and a.domain = $2`,
    [ramal, at],
  );
  return (
    row && {
      isRegistered: row.is,
      registeredAt: row.registered_at,
      callId: row.sip_call_id,
      transport: row.transport,
      userAgent: row.user_agent,
    }
  );
}
