import { runWithBenchServices } from '../bench-services.ts';
import { DevFault } from '../fault.ts';

const benches = ['http', 'ledger', 'list', 'webhooks', 'webhooks-fairness'];

export async function bench(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (!benches.includes(name)) throw new DevFault(`Name a benchmark: ${benches.join(', ')}.`);
  return runWithBenchServices(`server/bench/${name}.ts`, rest);
}
