import type { Database } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import { type Ban, endBans, findBans } from './ban.store.ts';

/** Operator commands for the bans of the edges; CLI only. */
interface OperatorDeps {
  db: Database;
}

export const listBans = (deps: OperatorDeps): Promise<Ban[]> => findBans(deps.db);

/** Ends a ban; the edges admit its address or extension again within seconds. */
export async function liftBan(deps: OperatorDeps, key: string): Promise<void> {
  if ((await endBans(deps.db, key)) === 0)
    throw new Refusal('VALIDATION_ERROR', `There is no ban of ${key}. List them with: disca ban list`);
}
