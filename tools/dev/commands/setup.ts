import { installDebianPackages } from '../debian-packages.ts';
import { seconds, step } from '../progress.ts';
import { findPostgresPrograms } from '../services/postgres-programs.ts';
import { findRedis } from '../services/redis.ts';

interface Need {
  what: string;
  debianPackage: string;
  isThere(): boolean;
}

/** The npm packages are there already: without them this file would not run. */
const needs: Need[] = [
  { what: 'PostgreSQL', debianPackage: 'postgresql', isThere: () => findPostgresPrograms() !== undefined },
  { what: 'Redis', debianPackage: 'redis-server', isThere: () => findRedis() !== undefined },
];

export async function setup(): Promise<number> {
  const startedMs = Date.now();
  const missing = needs.filter((need) => !need.isThere());
  for (const need of needs) if (!missing.includes(need)) console.log(`  ok      ${need.what} is there`);
  if (missing.length > 0) {
    const names = missing.map((need) => need.what).join(', ');
    await step(`installing ${names}`, () => installDebianPackages(missing.map((need) => need.debianPackage)));
  }
  console.log(`\nSet up in ${seconds(startedMs)}. Next: ./dev up`);
  return 0;
}
