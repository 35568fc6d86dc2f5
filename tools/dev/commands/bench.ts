import { runWithBenchServices } from '../bench-services.ts';
import { benchConsole } from '../console-bench.ts';
import { UserError } from '../user-error.ts';

const benches = [
  'calls',
  'edge',
  'http',
  'ledger',
  'list',
  'request-log',
  'search',
  'webhooks',
  'webhooks-fairness',
];
/** Commit timestamps show when a response was committed. */
const settingsOf: Record<string, Record<string, string>> = {
  calls: { track_commit_timestamp: 'on' },
  edge: { track_commit_timestamp: 'on' },
};

export async function bench(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === 'console') return await benchConsole();
  if (!benches.includes(name))
    throw new UserError(`Name a benchmark: ${['console', ...benches].join(', ')}.`);
  return runWithBenchServices(`server/bench/${name}.ts`, rest, settingsOf[name]);
}
