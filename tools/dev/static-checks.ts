import { notChecked } from '../advisories/find-advisories.ts';
import { seconds } from './progress.ts';
import { capture } from './run-command.ts';

interface StaticCheck {
  name: string;
  command: string;
  args: string[];
  /** Exits with `notChecked` where it cannot be made, for example without a network. */
  mayNotRun?: boolean;
}

const staticChecks: StaticCheck[] = [
  { name: 'biome', command: 'biome', args: ['check', '--error-on-warnings'] },
  { name: 'oxlint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['--noEmit'] },
  { name: 'console types', command: 'tsc', args: ['--noEmit', '-p', 'console'] },
  { name: 'console test types', command: 'tsc', args: ['--noEmit', '-p', 'console/test'] },
  { name: 'SDK types', command: 'tsc', args: ['--noEmit', '-p', 'sdk'] },
  { name: 'generated API types', command: 'node', args: ['tools/api-types.ts', '--check'] },
  {
    name: 'import rules',
    command: 'depcruise',
    args: ['server', 'simulator', 'tools', 'console', 'sdk', 'cli', 'deploy'],
  },
  {
    name: 'docs types',
    command: 'tsc',
    args: ['--noEmit', '--project', 'server/test/harness/networks/page'],
  },
  { name: 'unused code', command: 'knip', args: [] },
  { name: 'wording', command: 'node', args: ['tools/words.ts'] },
  { name: 'spelling', command: 'cspell', args: ['lint', '--no-progress', '--no-summary'] },
  { name: 'licences', command: 'node', args: ['tools/licences.ts'] },
  { name: 'advisories', command: 'node', args: ['tools/advisories.ts'], mayNotRun: true },
  { name: 'clauses', command: 'node', args: ['tools/clauses.ts', '--check'] },
  { name: 'SQL definitions', command: 'node', args: ['tools/sql-definitions.ts', '--check'] },
  { name: 'database types', command: 'node', args: ['tools/db-types.ts', '--check'] },
  { name: 'API pages', command: 'node', args: ['tools/api-docs.ts', '--check'] },
  { name: 'alerts and dashboards', command: 'node', args: ['tools/observability.ts', '--check'] },
  { name: 'configuration docs', command: 'node', args: ['server/src/main/config-docs.ts', '--check'] },
];

const atATime = 2;

export interface Tally {
  passed: number;
  failed: number;
}

export async function runStaticChecks(interrupted: AbortSignal): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const waiting = [...staticChecks];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !interrupted.aborted; next = waiting.shift()) {
      const outcome = await runStaticCheck(next, interrupted);
      if (outcome !== 'not run') tally[outcome] += 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return tally;
}

async function runStaticCheck(
  { name, command, args, mayNotRun = false }: StaticCheck,
  signal: AbortSignal,
): Promise<keyof Tally | 'not run'> {
  const startedMs = Date.now();
  const result = await capture(command, args, { signal });
  if (mayNotRun && result.exitCode === notChecked) {
    console.log(`  not run  ${name}: ${result.output.trim()}`);
    return 'not run';
  }
  const passed = result.exitCode === 0;
  console.log(`  ${passed ? 'ok    ' : 'failed'}  ${name} (${seconds(startedMs)})`);
  if (!passed) console.log(`${result.output.trimEnd()}\n  (${command} ${args.join(' ')})`);
  return passed ? 'passed' : 'failed';
}
