import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchLine, makeBenchLines } from './call-lines.ts';
import { type Party, registerPhones, startParty } from './call-parties.ts';
import type { CallPlatform } from './call-platform.ts';

const connectMs = 15_000;

/** Starts 500 registered phones and a carrier. Passes every resource that must be stopped later to `keep`. */
export async function prepareParties(
  platform: CallPlatform,
  keep: (party: Party) => void,
): Promise<BenchLine[]> {
  const api = await platform.start('api');
  const lines = await makeBenchLines(`${platform.apiOrigin}/api/v1`, platform.serviceUrl, platform.query);
  await api.stop();
  await registerPhones(platform.dir, platform.phones, platform.edgePlace, lines);
  await putOffExpiry(platform, lines.length);
  keep(await startParty('phones', platform.dir, platform.phones));
  keep(await startParty('carrier', platform.dir, platform.carrier));
  return lines;
}

/** Extends the registrations, because SIPp phones do not refresh them. */
async function putOffExpiry({ query }: CallPlatform, count: number): Promise<void> {
  await query(`update edge.location set expires = extract(epoch from now())::bigint + 86400, q = q`);
  const [row] = await query(
    `select count(*)::int as count from extension_presence where expires_at > now() + interval '1 hour'`,
  );
  if (row?.count !== count) throw new Error(`Only ${row?.count} of ${count} phones are registered.`);
}

export async function untilConnected({ query }: CallPlatform): Promise<void> {
  const deadline = Date.now() + connectMs;
  while ((await query('select 1 from media_nodes where connected')).length === 0) {
    if (Date.now() > deadline) throw new Error('The media node did not connect to voice.');
    await sleep(100);
  }
}
