import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RunningKamailio } from '../../../tools/dev/services/kamailio.ts';
import { chooseCell, type EdgeAddresses, edgeAddresses } from '../../../tools/dev/voice/cell.ts';
import { startEdge } from '../../../tools/dev/voice/edge.ts';
import { migrate } from '../../src/main/migrate.ts';
import { testDigestKeys } from '../../test/harness/digest-keys.ts';
import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { addCrowd, registerCrowd } from '../../test/scenarios/edge-endurance/crowd-rows.ts';
import { freshDatabase } from '../calls/database.ts';
import { openOwner } from '../owner-pool.ts';

export interface Twin {
  edge: RunningKamailio;
  place: EdgeAddresses;
  query: OwnerQuery;
  stop(): Promise<void>;
}

/** Starts an edge with the same configuration and its own small database. */
export async function startTwin(adminUrl: string, dir: string, extensions: number): Promise<Twin> {
  const urls = await freshDatabase(adminUrl, 'disca_bench_twin', { migrate });
  const owner = openOwner(urls.owner, 1);
  const { query } = owner;
  await addCrowd(query, extensions);
  const place = edgeAddresses(await chooseCell());
  await registerCrowd(query, extensions, place.public);
  const edge = await startEdge({
    name: 'bench-twin',
    dir: join(dir, 'twin'),
    addresses: place,
    databaseUrl: urls.edge,
    nonceSecret: randomBytes(16).toString('hex'),
    dialogSecret: randomBytes(16).toString('hex'),
    digestKeys: testDigestKeys,
    limits: { PEERS_SECONDS: 1 },
  });
  return {
    edge,
    place,
    query,
    async stop() {
      await edge.stop('kill');
      await owner.close();
    },
  };
}
