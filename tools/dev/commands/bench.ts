import { runWithBenchServices } from '../bench-services.ts';
import { benchConsole } from '../console-bench.ts';
import { UserError } from '../user-error.ts';

const benches = [
  'calls',
  'edge',
  'http',
  'ledger',
  'list',
  'placements',
  'request-log',
  'search',
  'webhooks',
  'webhooks-fairness',
];
/** Commit timestamps show when a response was committed. */
const settingsOf: Record<string, Record<string, string>> = {
  calls: { track_commit_timestamp: 'on' },
  edge: { track_commit_timestamp: 'on' },
  placements: { track_commit_timestamp: 'on' },
};
/** A standby that is disconnected between blocks needs the WAL of that time. */
const keepWal = { wal_level: 'replica', max_wal_senders: '4', wal_keep_size: '2GB' };
const countStatements = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
  'pg_stat_statements.track_planning': 'on',
};

export async function bench(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === 'console') return await benchConsole();
  if (!benches.includes(name))
    throw new UserError(`Name a benchmark: ${['console', ...benches].join(', ')}.`);
  const settings = {
    ...settingsOf[name],
    ...(rest.includes('--statements') && countStatements),
    ...(rest.includes('synchronous-standby') && keepWal),
  };
  return runWithBenchServices(`server/bench/${name}.ts`, rest, settings);
}
