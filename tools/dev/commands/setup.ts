import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from '../debian-packages.ts';
import { seconds, step } from '../progress.ts';
import { findHaproxy } from '../services/haproxy.ts';
import { findPostgresPrograms } from '../services/postgres-programs.ts';
import { findRedis } from '../services/redis.ts';
import { UserError } from '../user-error.ts';
import { makePrompts, promptsAreThere } from '../voice/prompts.ts';
import { buildRootfs, engineVersions, rootfsIsThere } from '../voice/rootfs.ts';

interface Need {
  what: string;
  debianPackage: string;
  isThere(): boolean;
}

/** Dependencies of the platform. The npm packages are already installed; without them this file would not run. */
const platformNeeds: Need[] = [
  { what: 'PostgreSQL', debianPackage: 'postgresql', isThere: () => findPostgresPrograms() !== undefined },
  { what: 'Redis', debianPackage: 'redis-server', isThere: () => findRedis() !== undefined },
  tool('mmdebstrap', 'mmdebstrap'),
  tool('espeak-ng', 'espeak-ng'),
  tool('sox', 'sox'),
  tool('openssl', 'openssl'),
  tool('turnserver', 'coturn'),
  tool('ip', 'iproute2'),
  tool('sysctl', 'procps'),
];

/** Additional dependencies of tests and benchmarks. */
const testNeeds: Need[] = [
  { what: 'HAProxy', debianPackage: 'haproxy', isThere: () => findHaproxy() !== undefined },
  tool('pgbackrest', 'pgbackrest'),
  tool('patroni', 'patroni'),
  tool('etcd', 'etcd-server'),
  tool('etcdctl', 'etcd-client'),
  {
    what: "Patroni's client of etcd",
    debianPackage: 'python3-etcd',
    isThere: () => existsSync('/usr/lib/python3/dist-packages/etcd'),
  },
  tool('keepalived', 'keepalived'),
  tool('mkfs.ext4', 'e2fsprogs'),
  {
    what: 'libfaketime',
    debianPackage: 'libfaketime',
    isThere: () => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1').length > 0,
  },
  tool('sipp', 'sip-tester'),
  tool('svwar', 'sipvicious'),
  tool('chromium', 'chromium'),
  // Opens the files for Brazilian spreadsheets.
  tool('soffice', 'libreoffice-calc-nogui'),
  // A name server, for proofs of domains.
  tool('knotd', 'knot'),
  tool('prometheus', 'prometheus'),
  tool('nft', 'nftables'),
  // Languages of the examples in docs/examples, which are run by tests.
  tool('python3', 'python3'),
  tool('php', 'php-cli'),
  tool('go', 'golang-go'),
  // Shells whose completion is tested.
  tool('zsh', 'zsh'),
  tool('fish', 'fish'),
];

export async function setup(args: string[]): Promise<number> {
  if (args.some((word) => word !== '--tests')) throw new UserError('./dev setup accepts only --tests.');
  const startedMs = Date.now();
  const needs = args.includes('--tests') ? [...platformNeeds, ...testNeeds] : platformNeeds;
  const missing = needs.filter((need) => !need.isThere());
  for (const need of needs) if (!missing.includes(need)) console.log(`  ok      ${need.what} is installed`);
  if (missing.length > 0) {
    const names = missing.map((need) => need.what).join(', ');
    await step(`installing ${names}`, () => installDebianPackages(missing.map((need) => need.debianPackage)));
  }
  if (!rootfsIsThere()) await step('building the voice engines (takes a minute or two)', buildRootfs);
  console.log(`  ok      ${engineVersions()} are installed`);
  if (promptsAreThere()) console.log('  ok      the voice prompts are installed');
  else await step('generating the voice prompts', makePrompts);
  console.log(`\nSet up in ${seconds(startedMs)}. Next: ./dev up`);
  return 0;
}

function tool(program: string, debianPackage: string): Need {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return {
    what: program,
    debianPackage,
    isThere: () => folders.some((folder) => existsSync(join(folder, program))),
  };
}
