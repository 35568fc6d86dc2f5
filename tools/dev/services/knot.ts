import { Resolver } from 'node:dns/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../ports.ts';
import { politeThenKill } from '../process-identity.ts';
import { endAndRemove } from '../process-records.ts';
import { startService } from './service.ts';

export interface NameServer {
  /** As `address:port`. */
  readonly address: string;
  /** Replaces the records of the zone, in the notation of zone files, and waits until they are served. */
  serve(records: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

const loopback = '127.0.0.1';
const pollMs = 20;

/** Starts Knot DNS as the authoritative name server of one zone. */
export async function startNameServer(dir: string, zone: string): Promise<NameServer> {
  const port = await freePort();
  mkdirSync(join(dir, 'run'), { recursive: true });
  const zoneFile = join(dir, 'zone');
  let serial = 1;
  const write = (records: readonly string[]): void => {
    const soa = `@ SOA ns hostmaster ${serial} 3600 900 604800 1`;
    writeFileSync(
      zoneFile,
      [`$ORIGIN ${zone}.`, '$TTL 1', soa, '@ NS ns', 'ns A 127.0.0.1', ...records, ''].join('\n'),
    );
  };
  write([]);
  const configuration = join(dir, 'knot.conf');
  writeFileSync(configuration, configurationOf({ dir, port, zone, zoneFile }));
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([`${loopback}:${port}`]);
  const isServed = async (): Promise<boolean> =>
    (await resolver.resolveSoa(zone).catch(() => undefined))?.serial === serial;
  const entry = await startService({
    name: `knot-${port}`,
    command: 'knotd',
    args: ['-c', configuration],
    commandIncludes: dir,
    logFile: join(dir, 'knot.log'),
    cwd: dir,
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    ending: politeThenKill,
    outlives: false,
    isReady: isServed,
  });
  return {
    address: `${loopback}:${port}`,
    async serve(records) {
      serial += 1;
      write(records);
      process.kill(entry.process.pid, 'SIGHUP');
      while (!(await isServed())) await new Promise((resolve) => setTimeout(resolve, pollMs));
    },
    stop: () => endAndRemove(entry, politeThenKill),
  };
}

const configurationOf = ({
  dir,
  port,
  zone,
  zoneFile,
}: Record<'dir' | 'zone' | 'zoneFile', string> & { port: number }) => `
server:
  listen: ${loopback}@${port}
  rundir: ${join(dir, 'run')}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
database:
  storage: ${join(dir, 'run')}
log:
  - target: stderr
    any: warning
zone:
  - domain: ${zone}
    file: ${zoneFile}
    zonefile-sync: -1
    journal-content: none
`;
