import { inDev } from '../paths.ts';
import { runInForeground } from '../run-command.ts';

const looks = ['screens-pt-br', 'screens-en', 'phone-screens'].map((name) => `console/test/${name}.test.ts`);

/** Runs the console page tests and the phone test so that they save screenshots; a name selects one page. */
export async function screenshots([name]: string[]): Promise<number> {
  const directory = inDev('screenshots');
  const chosen = name === undefined ? [] : ['-t', `${name} is`];
  const args = ['run', '--project', 'console', ...looks, ...chosen];
  const exitCode = await runInForeground('vitest', args, { DISCA_SCREENSHOTS: directory });
  console.log(`Screenshots are in ${directory}.`);
  return exitCode;
}
