import { join } from 'node:path';
import { root } from '../../../tools/dev/paths.ts';
import { type RunningKamailio, startKamailio } from '../../../tools/dev/services/kamailio.ts';
import type { SipAddress } from '../../../tools/dev/voice/cell.ts';
import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { pinService } from '../measure/machine.ts';

/**
 * Starts a bare edge with the same extensions in a plain subscriber table, and a separate registration table with the
 * same indexes and no triggers.
 */
export async function startBareEdge(
  dir: string,
  place: SipAddress,
  edgeUrl: string,
  query: OwnerQuery,
  workers: number,
): Promise<RunningKamailio> {
  await query('create schema bare');
  await query('create table bare.version as select * from edge.version');
  await query('create table bare.subscriber as select * from edge.subscriber');
  await query('alter table bare.subscriber add primary key (username, domain)');
  await query('create table bare.location (like edge.location including all)');
  await query('insert into bare.location overriding system value select * from edge.location');
  await query(
    `select setval(pg_get_serial_sequence('bare.location', 'id'), (select max(id) from bare.location))`,
  );
  await query('grant usage on schema bare to disca_edge');
  await query('grant all on all tables in schema bare to disca_edge');
  await query('analyze bare.location, bare.subscriber');
  const edge = await startKamailio({
    name: 'bench-bare-edge',
    dir: join(dir, 'bare-edge'),
    templates: join(root, 'server/bench/edge/bare'),
    hasControlSocket: false,
    listens: place,
    values: {
      PUBLIC_ADDRESS: place.address,
      PUBLIC_PORT: place.port,
      DATABASE_URL: edgeUrl,
      WORKERS: workers,
    },
  });
  pinService(edge.pid);
  return edge;
}
