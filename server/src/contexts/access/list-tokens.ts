import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { defineList, fetchArray, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { ArrayQuery } from '../../platform/list-schemas.ts';
import type { Scope } from '../../platform/scopes.ts';
import type { Clock } from '../../platform/time.ts';
import { selectServiceTokens } from './service-token.store.ts';
import { neverExpires } from './token.rules.ts';
import { selectLiveTokens } from './token.store.ts';

const definition = {
  fields: {
    prefix: { type: 'text', sortable: true },
    name: { type: 'text', isFolded: true, sortable: true, nullable: true },
    ttl: { type: 'integer', column: 'ttl_seconds', sortable: true },
    created: { type: 'timestamp', column: 'created_at', sortable: true },
    expiresAt: { type: 'timestamp', filterable: false },
    lastUsedAt: { type: 'timestamp', column: 'last_used_at', sortable: true, nullable: true },
    scopes: { type: 'json', filterable: false },
    allowedAddresses: { type: 'json', filterable: false },
  },
  defaultOrder: ['created DESC', 'prefix DESC'],
  tieBreaker: 'prefix',
  maxLimit: 1000,
} as const;

const tokens = defineList({ ...definition, name: 'tokens' });
const serviceTokens = defineList({
  ...definition,
  name: 'service tokens',
  fields: {
    ...definition.fields,
    uuid: { type: 'uuid', column: 'service_uuid' },
    createdBy: { type: 'text', filterable: false },
  },
});

interface TokenRow {
  prefix: string;
  name: string | null;
  ttl_seconds: number;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
  scopes: string[] | null;
  allowed_addresses: string[] | null;
}

const present = (row: TokenRow) => ({
  prefix: row.prefix,
  name: row.name,
  ttl: row.ttl_seconds,
  created: row.created_at.toISOString(),
  expiresAt: row.ttl_seconds === neverExpires ? null : row.expires_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  scopes: row.scopes as Scope[] | null,
  allowedAddresses: row.allowed_addresses,
});

/** Lists the caller's own tokens. */
export async function listTokens(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  { filter, limit, offset }: ArrayQuery,
) {
  const asked = parseFilter(tokens, filter, { limit, offset });
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const source = selectLiveTokens(tx, caller, deps.clock.now());
    const { rows, total } = await fetchArray(tx, tokens, source, query);
    return { items: rows.map((row) => pickFields(query, present(row))), total };
  });
}

/** Lists the service tokens of the account. */
export async function listServiceTokens(
  deps: { db: Database; clock: Clock },
  { accountId }: Caller,
  { filter, limit, offset }: ArrayQuery,
) {
  const asked = parseFilter(serviceTokens, filter, { limit, offset });
  return await inAccount(deps.db, accountId, async (tx) => {
    const query = await asked.forAccount(tx, accountId);
    const source = selectServiceTokens(tx, accountId, deps.clock.now());
    const { rows, total } = await fetchArray(tx, serviceTokens, source, query);
    const items = rows.map((row) =>
      pickFields(query, { ...present(row), uuid: row.service_uuid ?? '', createdBy: row.creator_email }),
    );
    return { items, total };
  });
}
