import { runWithBenchServices } from '../bench-services.ts';
import { UserError } from '../user-error.ts';

const targets: Record<string, string> = {
  http: 'server/bench/http-fuzz.ts',
  filters: 'server/bench/filter-fuzz.ts',
  ledger: 'server/bench/ledger-fuzz.ts',
};

export async function fuzz(args: string[]): Promise<number> {
  const [first = 'http', ...rest] = args;
  const countOnly = /^\d+$/.test(first);
  const file = targets[countOnly ? 'http' : first];
  if (!file) throw new UserError(`Name a fuzz target: ${Object.keys(targets).join(', ')}.`);
  return runWithBenchServices(file, countOnly ? args : rest);
}
