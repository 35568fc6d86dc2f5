import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { logFileOf } from '../../../../tools/dev/paths.ts';
import { endAndRemove } from '../../../../tools/dev/process-records.ts';
import { startService } from '../../../../tools/dev/services/service.ts';
import { commandInside, ip } from '../networks/namespaces.ts';

export interface LinkQuality {
  /** Delay in each direction. */
  delayMs: number;
  /** Share of the frames that are dropped in each direction. */
  lossPercent?: number;
}

const program = join(import.meta.dirname, 'slow-link.py');

/** Puts a slow link between a port of the switch and its bridge. Returns a function that removes it. */
export async function insertSlowLink(
  switchName: string,
  port: string,
  { delayMs, lossPercent = 0 }: LinkQuality,
): Promise<() => Promise<void>> {
  const [near, far] = [`${port}-near`, `${port}-far`];
  const link = (...args: string[]) => ip('-n', switchName, 'link', ...args);
  await link('add', near, 'type', 'veth', 'peer', 'name', far);
  await link('set', near, 'up');
  await link('set', far, 'master', 'bridge', 'up');
  await link('set', port, 'nomaster');
  const name = `slow-link-${switchName}-${port}`;
  const logFile = logFileOf(name);
  rmSync(logFile, { force: true });
  const record = await startService({
    name,
    ...commandInside(switchName, '/usr/bin/python3', program, port, near, `${delayMs}`, `${lossPercent}`),
    commandIncludes: program,
    logFile,
    cwd: '/',
    ending: [{ signal: 'SIGKILL', waitMs: 5_000 }],
    outlives: false,
    isReady: async () => readFileSync(logFile, 'utf8').includes('forwarding'),
  });
  return async () => {
    await endAndRemove(record);
    await link('set', port, 'master', 'bridge');
    await link('delete', near);
    rmSync(logFile, { force: true });
  };
}
