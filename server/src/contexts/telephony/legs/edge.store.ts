import type { Database } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { CallerSigning } from './caller-identity.ts';

/** Returns the edges that have announced themselves within the last `seconds`. */
export async function findEdges(db: Database, seconds: number): Promise<number[]> {
  const query = prepared<{ id: number }>`select id from edges_seen_within(${seconds}) order by id`;
  return (await queryPrepared(db, query)).map(({ id }) => id);
}

/** Signatures are required once no edge of the previous release, which does not sign, has been seen for `seconds`. */
export async function findCallerKeys(db: Database, seconds: number): Promise<CallerSigning> {
  const query = prepared<{ number: number; key: string; allSign: boolean }>`
    select number, key, all_sign as "allSign" from caller_keys(${seconds})`;
  const rows = await queryPrepared(db, query);
  return {
    keys: new Map(rows.map(({ number, key }) => [number, key])),
    isRequired: rows.every(({ allSign }) => allSign),
  };
}
