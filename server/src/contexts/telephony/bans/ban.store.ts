import type { Database } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';

export interface Ban {
  kind: 'address' | 'pair' | 'extension';
  /** The address, `address|extension@domain`, or `extension@domain`. */
  key: string;
  until: Date;
  /** The edge that made it. */
  edge: number;
}

const maxBans = 10_000;

/** Returns the current bans, newest first. `db` must have the rights of operators. */
export const findBans = (db: Database): Promise<Ban[]> =>
  queryPrepared(
    db,
    prepared<Ban>`
      select kind, key, until, edge_id as edge from edge.bans
       where until > now() order by number desc limit ${maxBans}`,
  );

/** Ends the bans with a key. Returns how many there were. */
export async function endBans(db: Database, key: string): Promise<number> {
  const [row] = await queryPrepared(
    db,
    prepared<{ lifted: number }>`select edge.lift_bans(${key}) as lifted`,
  );
  return row?.lifted ?? 0;
}
