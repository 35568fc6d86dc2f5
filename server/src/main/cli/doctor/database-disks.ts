import { type Check, type Finding, fault, messageOf, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

const part = 'database disks';
const answerMs = 3_000;
/** Of deploy/patroni/disk-check.py. */
const diskCheckPort = 8009;
/** After this many seconds without a write, a machine gives up its role; see deploy/patroni/disk-check.py. */
const hangingSeconds = 10;

/** Asks every machine of PostgreSQL whether its disk completes writes. */
export const checkDatabaseDisks = ({ DATABASE_MACHINES: addresses = [] }: Settings): Check => ({
  part,
  otherwise: 'Check DATABASE_MACHINES.',
  async look() {
    if (addresses.length === 0)
      return ok(part, 'DATABASE_MACHINES is not set; it is for three machines only');
    const findings = await Promise.all(addresses.map(judgeMachine));
    const failed = findings.filter((finding) => finding !== undefined);
    return failed.length > 0 ? failed : ok(part, `all ${addresses.length} complete writes`);
  },
});

async function judgeMachine(address: string): Promise<Finding | undefined> {
  try {
    const seconds = await readSilentSeconds(address);
    if (seconds < hangingSeconds) return undefined;
    return fault(
      part,
      `the disk of ${address} has completed no write for ${seconds} s; PostgreSQL and Patroni do not run there`,
      'Repair the disk or replace the machine. It returns as a standby when the disk completes writes.',
    );
  } catch (error) {
    return warning(
      part,
      `the disk check of ${address} does not respond: ${messageOf(error)}`,
      'Check that this machine runs, and its Patroni with deploy/patroni/disk-check.py.',
    );
  }
}

async function readSilentSeconds(address: string): Promise<number> {
  const response = await fetch(`http://${address}:${diskCheckPort}/metrics`, {
    signal: AbortSignal.timeout(answerMs),
  });
  const [, seconds] = /^disca_database_disk_silent_seconds (\d+)$/m.exec(await response.text()) ?? [];
  if (seconds === undefined) throw new Error(`port ${diskCheckPort} is another service`);
  return Number(seconds);
}
