import { sql } from 'kysely';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

interface Replication {
  isStandby: boolean;
  /** Whether commits wait for a standby. */
  isSynchronous: boolean;
  streaming: number;
  confirming: number;
}

const part = 'replication';
/** Standbys of a database on three machines. */
const standbys = 2;

export const checkReplication = ({ DATABASE_OWNER_URL: url }: Settings): Check => ({
  part,
  otherwise: 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    return await withDatabase(url, async ({ kysely }) => {
      const { rows } = await sql<Replication>`
        select pg_is_in_recovery() as "isStandby", current_setting('synchronous_standby_names') <> '' as "isSynchronous",
               count(*) filter (where state = 'streaming')::int as streaming,
               count(*) filter (where state = 'streaming' and sync_state in ('sync', 'quorum'))::int as confirming
          from pg_stat_replication`.execute(kysely);
      const [replication] = rows;
      if (!replication) throw new Error('PostgreSQL returned no replication statistics');
      return judge(replication);
    });
  },
});

function judge({ isStandby, isSynchronous, streaming, confirming }: Replication): Finding {
  const advice =
    'Run patronictl list on a database machine, and repair or replace the machine that is missing.';
  if (isStandby)
    return fault(
      part,
      'this is a standby, which accepts no writes',
      'Use the address of HAProxy, not of a machine.',
    );
  if (isSynchronous && confirming === 0)
    return fault(part, 'no standby confirms commits, so every write waits', advice);
  if (!isSynchronous && streaming > 0) {
    return warning(
      part,
      'commits do not wait for a standby, so a failover can lose the last writes',
      'Use deploy/patroni, or set synchronous_standby_names.',
    );
  }
  if (!isSynchronous)
    return ok(part, 'PostgreSQL runs on one machine; docs/operate/database.md describes three');
  if (streaming < standbys)
    return warning(
      part,
      `${streaming} of ${standbys} standbys is connected; the loss of it stops all writes`,
      advice,
    );
  return ok(part, `${streaming} standbys, ${confirming} of which confirms every commit`);
}
