import { runInForeground } from '../run-command.ts';

/** Lists known vulnerabilities of the npm packages that are shipped. */
export const advisories = (): Promise<number> => runInForeground('node', ['tools/advisories.ts']);
