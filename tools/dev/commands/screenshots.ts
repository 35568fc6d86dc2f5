import { inDev } from '../paths.ts';
import { runInForeground } from '../run-command.ts';

const looks = ['screens-pt-br', 'screens-en', 'phone-screens'].map((name) => `console/test/${name}.test.ts`);

/** The tests that look at every screen, and at the phone, also keep what they see; a name chooses one of them. */
export async function screenshots([name]: string[]): Promise<number> {
  const directory = inDev('screenshots');
  const chosen = name === undefined ? [] : ['-t', `${name} is`];
  const args = ['run', '--project', 'console', ...looks, ...chosen];
  const exitCode = await runInForeground('vitest', args, { DISCA_SCREENSHOTS: directory });
  console.log(`The pictures are in ${directory}.`);
  return exitCode;
}
