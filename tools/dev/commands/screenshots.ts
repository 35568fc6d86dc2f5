import { inDev } from '../paths.ts';
import { runInForeground } from '../run-command.ts';

/** The test that looks at every screen also keeps what it sees; a name chooses one of them. */
export async function screenshots([name]: string[]): Promise<number> {
  const directory = inDev('screenshots');
  const chosen = name === undefined ? [] : ['-t', `${name} is`];
  const args = ['run', '--project', 'console', 'console/test/screens.test.ts', ...chosen];
  const exitCode = await runInForeground('vitest', args, { DISCA_SCREENSHOTS: directory });
  console.log(`The pictures are in ${directory}.`);
  return exitCode;
}
