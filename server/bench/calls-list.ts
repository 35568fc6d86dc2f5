import { callsList, searchList } from '../src/contexts/calls/listing/call-list.ts';
import { listCalls, type ReadCallDeps, searchCalls } from '../src/contexts/calls/listing/list-calls.ts';
import { summarizeCalls } from '../src/contexts/calls/summary/summarize-calls.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { createKeyRing } from '../src/platform/keyring.ts';
import { everyPermission } from '../src/platform/permissions.ts';
import type { Viewer } from '../src/platform/visibility.ts';
import { endOfCalls, isShort } from './calls-table.ts';

export { callColumns } from '../src/contexts/calls/listing/call-list.store.ts';
export { callsList };

/** A call from which filter values are taken. */
export interface BenchCall {
  id: string;
  account_id: number;
  started_at: Date;
  from: string;
  to: string;
  email: string;
  first_name: string;
  metadata: Record<string, unknown>;
}

export interface BenchService {
  db: Database;
  /** Returns one page like the API: by number with the total, or by cursor. */
  list(
    accountId: number,
    asked: { filter?: string; page?: number; cursor?: string },
  ): ReturnType<typeof listCalls>;
  search(
    accountId: number,
    asked: { q?: string; filter?: string; cursor?: string },
  ): ReturnType<typeof searchCalls>;
  summarize(accountId: number, asked: { since: string; until: string }): ReturnType<typeof summarizeCalls>;
}

/** A short run checks that the lists work, also on a machine that stands still for seconds. */
const shortRunTimeoutMs = 120_000;

/** An ADMIN of the account. */
const admin = (accountId: number): Viewer => ({
  accountId,
  userId: 0,
  uuid: '00000000-0000-7000-8000-000000000000',
  scopes: null,
  permissions: everyPermission,
});

/** Opens the API's call list with the service's database role. The newest calls are from today. */
export function openAsService(serviceUrl: string, connectionCount: number): BenchService {
  if (isShort) for (const list of [callsList, searchList]) list.statementTimeoutMs = shortRunTimeoutMs;
  const statementTimeoutMs = isShort ? shortRunTimeoutMs : 5_000;
  const db = openDatabase(
    { url: serviceUrl, poolSize: connectionCount, applicationName: 'bench', statementTimeoutMs },
    (error) => console.error(error),
  );
  const deps: ReadCallDeps = {
    db,
    clock: { now: () => endOfCalls },
    keyRing: createKeyRing([{ id: 'bench', secret: Buffer.alloc(32, 1) }]),
    publicUrl: 'http://api.disca.test',
  };
  return {
    db,
    list: (accountId, { filter, page, cursor }) =>
      listCalls(deps, admin(accountId), { filter, page, cursor }),
    search: (accountId, { q, filter, cursor }) => searchCalls(deps, admin(accountId), { q, filter, cursor }),
    summarize: (accountId, asked) => summarizeCalls(deps, admin(accountId), asked),
  };
}

export function percentile(samples: number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
