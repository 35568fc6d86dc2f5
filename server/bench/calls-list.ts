import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { defineList } from '../src/platform/filter/index.ts';
import { benchRole } from './calls-table.ts';

export interface BenchCall {
  id: string;
  account_id: string;
  started_at: Date;
  ended_at: Date | null;
  from: string;
  to: string;
  duration: number;
  status: string;
  hangup_cause: string | null;
  email: string;
  first_name: string;
  last_name: string | null;
  bina: string | null;
  minute_price: number | null;
  call_price: number | null;
  metadata: Record<string, unknown>;
}

export interface BenchDatabase {
  bench_calls: BenchCall & { to_reversed: string };
}

/** The call list as it will be declared, with the indexes of the bench table. */
export const callsList = defineList({
  name: 'bench_calls',
  fields: {
    id: { type: 'uuid', sortable: true },
    started_at: {
      type: 'timestamp',
      aliases: ['date'],
      sortable: true,
      sortColumn: 'id',
      clockSkewMs: 0,
    },
    ended_at: { type: 'timestamp', nullable: true },
    from: { type: 'text', aliases: ['extension'] },
    to: { type: 'text', aliases: ['phone'], reversedColumn: 'to_reversed' },
    duration: { type: 'integer' },
    status: { type: 'enum', values: ['queued', 'ringing', 'dialing', 'answered', 'ended'] },
    hangup_cause: { type: 'text', nullable: true },
    email: { type: 'text' },
    first_name: { type: 'text' },
    last_name: { type: 'text', nullable: true },
    BINA: { column: 'bina', type: 'text', nullable: true },
    minute_price: { type: 'number', nullable: true },
    call_price: { type: 'number', nullable: true },
    metadata: { type: 'json', pairsTable: 'bench_call_pairs' },
  },
  defaultOrder: ['started_at DESC'],
  tieBreaker: 'id',
  includes: ['price', 'timeline'],
  maxLimit: 100,
  scan: { walkRows: 3_000, seekRows: 600, seeks: ['metadata', 'to', 'email', 'from'] },
});

export const callColumns = [
  'id',
  'account_id',
  'started_at',
  'ended_at',
  'from',
  'to',
  'to_reversed',
  'duration',
  'status',
  'hangup_cause',
  'email',
  'first_name',
  'last_name',
  'bina',
  'minute_price',
  'call_price',
  'metadata',
] as const;

export const callsSource = (trx: Transaction<BenchDatabase>, accountId: number) =>
  trx.selectFrom('bench_calls').select(callColumns).where('account_id', '=', `${accountId}`);

/** Connections of the restricted role; the account is set for each transaction, as the service does. */
export function openAsService(ownerUrl: string, connectionCount: number) {
  const options = `-c role=${benchRole} -c plan_cache_mode=force_custom_plan`;
  const pool = new pg.Pool({ connectionString: ownerUrl, max: connectionCount, options });
  return { pool, db: new Kysely<BenchDatabase>({ dialect: new PostgresDialect({ pool }) }) };
}

export function percentile(samples: number[], share: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
