import { inDev } from '../paths.ts';
import { runInForeground } from '../run-command.ts';

const looks = ['screens-first', 'screens-second', 'phone-screens'].map(
  (name) => `console/test/${name}.test.ts`,
);
const readmeDir = 'docs/images';
const readmeScreens = '^(home|call) is|the phone is';

/**
 * Opens every screen of the console and every state of the phone, and saves screenshots. A name selects one page;
 * `--readme` replaces the images of the README.
 */
export async function screenshots([name]: string[]): Promise<number> {
  const isReadme = name === '--readme';
  const directory = isReadme ? readmeDir : inDev('screenshots');
  const pattern = isReadme ? readmeScreens : name && `${name} is`;
  const args = ['run', '--project', 'console', ...looks, ...(pattern ? ['-t', pattern] : [])];
  const exitCode = await runInForeground('vitest', args, {
    DISCA_SCREENSHOTS: directory,
    ...(isReadme && { DISCA_SCREENSHOTS_OF: 'readme' }),
  });
  console.log(`Screenshots are in ${directory}.`);
  return exitCode;
}
