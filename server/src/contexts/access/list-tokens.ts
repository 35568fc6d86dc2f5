import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { defineList, fetchArray, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { ArrayQuery } from '../../platform/list-schemas.ts';
import type { Clock } from '../../platform/time.ts';
import { selectLiveTokens } from './token.store.ts';

const tokens = defineList({
  name: 'tokens',
  fields: {
    prefix: { type: 'text', sortable: true },
    name: { type: 'text', isFolded: true, sortable: true, nullable: true },
    ttl: { type: 'integer', column: 'ttl_seconds', sortable: true },
    created: { type: 'timestamp', column: 'created_at', sortable: true },
    lastUsedAt: { type: 'timestamp', column: 'last_used_at', sortable: true, nullable: true },
  },
  defaultOrder: ['created DESC', 'prefix DESC'],
  tieBreaker: 'prefix',
  maxLimit: 1000,
});

interface ListedToken {
  prefix: string;
  name: string | null;
  ttl: number;
  created: string;
  lastUsedAt: string | null;
}

export async function listTokens(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  { filter, limit, offset }: ArrayQuery,
): Promise<{ items: Partial<ListedToken>[]; total: number }> {
  const asked = parseFilter(tokens, filter, { limit, offset });
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const { rows, total } = await fetchArray(
      tx,
      tokens,
      selectLiveTokens(tx, caller, deps.clock.now()),
      query,
    );
    const items = rows.map((row) =>
      pickFields(query, {
        prefix: row.prefix,
        name: row.name,
        ttl: row.ttl_seconds,
        created: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
      }),
    );
    return { items, total };
  });
}
