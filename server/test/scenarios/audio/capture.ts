import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { endAndRemove } from '../../../../tools/dev/process-records.ts';
import { startService } from '../../../../tools/dev/services/service.ts';

/** A running packet capture, which keeps the last minutes. */
export interface Capture {
  /** Copies the packets since this time to the folder. */
  keep(sinceMs: number, dir: string): void;
  stop(): Promise<void>;
}

const script = fileURLToPath(import.meta.resolve('./capture-packets.py'));
/** As in the script. A file may be written for a little longer. */
const fileMs = 10_000 + 2_000;

/** Captures the packets of a network, given by the first three numbers of its addresses. */
export async function startCapture(network: string, dir: string): Promise<Capture> {
  mkdirSync(dir, { recursive: true });
  const entry = await startService({
    name: `capture-${network}`,
    command: 'python3',
    args: [script, network, dir],
    commandIncludes: script,
    logFile: `${dir}.log`,
    cwd: dir,
    ending: politeThenKill,
    outlives: false,
    isReady: async () => readdirSync(dir).length > 0,
  });
  return {
    keep(sinceMs, to) {
      mkdirSync(to, { recursive: true });
      for (const name of readdirSync(dir)) {
        const beganAtMs = Number.parseInt(name, 10) * 1_000;
        if (beganAtMs + fileMs >= sinceMs) copyFileSync(join(dir, name), join(to, name));
      }
    },
    async stop() {
      await endAndRemove(entry);
      rmSync(dir, { recursive: true, force: true });
      rmSync(`${dir}.log`, { force: true });
    },
  };
}
