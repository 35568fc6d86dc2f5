import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Migrated } from '../platform/db/migrate.ts';
import { setLogin, userOf } from './login-roles.ts';
import { describeMigrated, migrate } from './migrate.ts';
import { withFiles } from './settings-from-files.ts';

interface Preparation {
  ownerUrl: string;
  serviceUrl: string;
  edgeUrl: string | undefined;
  operatorUrl: string | undefined;
  nodes: MediaNode[];
}

interface MediaNode {
  name: string;
  sipAddress: string;
  secret: string;
}

/**
 * Runs before the other processes on a machine that may start with an empty database: migrates it, then creates the
 * login roles and the media nodes whose secrets are on the machine. Existing ones are kept and get the current secret.
 */
async function prepare(preparation: Preparation): Promise<Migrated> {
  const { ownerUrl, serviceUrl, edgeUrl, operatorUrl, nodes } = preparation;
  await asOwner(ownerUrl, async (owner) => {
    for (const url of [serviceUrl, edgeUrl, operatorUrl]) if (url) await setLogin(owner, url);
  });
  const applied = await migrate(ownerUrl, serviceUrl, { operatorUrl });
  await asOwner(ownerUrl, async (owner) => {
    if (edgeUrl) await owner.query(`grant disca_edge to ${pg.escapeIdentifier(userOf(edgeUrl))}`);
    for (const node of nodes) await ensureNode(owner, node);
  });
  return applied;
}

async function asOwner(url: string, work: (owner: pg.Client) => Promise<void>): Promise<void> {
  const owner = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'disca-prepare',
  });
  await owner.connect();
  try {
    // Several machines may start at the same time. The lock ends with the connection.
    await owner.query("select pg_advisory_lock(hashtext('disca-prepare'))");
    await work(owner);
  } finally {
    await owner.end();
  }
}

const connectTimeoutMs = 10_000;

async function ensureNode(owner: pg.Client, node: MediaNode): Promise<void> {
  const hash = createHash('sha256').update(node.secret).digest();
  await owner.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())
     on conflict (name) do update set secret_hash = excluded.secret_hash, sip_address = excluded.sip_address`,
    [node.name, hash, node.sipAddress],
  );
}

function readPreparation(): Preparation {
  const set = withFiles(process.env, [
    'DATABASE_OWNER_URL',
    'DATABASE_URL',
    'EDGE_DATABASE_URL',
    'DATABASE_OPERATOR_URL',
    'NODE_SECRET',
    'NODES',
  ]);
  const { DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: serviceUrl } = set;
  if (!ownerUrl || !serviceUrl) throw new Error('DATABASE_OWNER_URL and DATABASE_URL must be set.');
  const { NODE_NAME: name, NODE_SIP_ADDRESS: sipAddress, NODE_SECRET: secret } = set;
  const own = name && sipAddress && secret ? [{ name, sipAddress, secret }] : [];
  return {
    ownerUrl,
    serviceUrl,
    edgeUrl: set.EDGE_DATABASE_URL,
    operatorUrl: set.DATABASE_OPERATOR_URL,
    nodes: [...own, ...readNodes(set.NODES)],
  };
}

/** Reads the nodes of several machines: `m1:secret@10.0.0.21:5060,m2:…`. */
function readNodes(list = ''): MediaNode[] {
  const items = list.split(',').filter(Boolean);
  return items.map((item) => {
    const [, name, secret, sipAddress] = /^([\w-]+):(\w+)@([\d.]+:\d+)$/.exec(item.trim()) ?? [];
    if (!name || !secret || !sipAddress)
      throw new Error('NODES must be a list of name:secret@address:port, separated by commas.');
    return { name, secret, sipAddress };
  });
}

try {
  const applied = await prepare(readPreparation());
  process.stdout.write(`The database is ready. ${describeMigrated(applied)}\n`);
} catch (error) {
  process.stderr.write(`The database cannot be prepared: ${(error as Error).message}\n`);
  process.exit(1);
}
