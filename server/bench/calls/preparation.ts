import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchLine, type LineCounts, makeBenchLines, usualLines } from './lines.ts';
import { type Party, registerPhones, startParty } from './parties.ts';
import type { CallPlatform } from './platform.ts';

const connectMs = 30_000;

/** Starts registered phones and a carrier. Passes every resource that must be stopped later to `keep`. */
export async function prepareParties(
  platform: CallPlatform,
  keep: (party: Party) => void,
  counts: LineCounts = usualLines,
): Promise<BenchLine[]> {
  const { dir, phones, carrier, edgePlace } = platform;
  const api = await platform.start('api');
  const lines = await makeBenchLines(platform, counts);
  await api.stop();
  await registerPhones(dir, phones, edgePlace, lines);
  await putOffExpiry(platform, lines.length);
  keep(await startParty('phones', platform, phones));
  keep(await startParty('carrier', platform, carrier));
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

/** Waits until this many media nodes are connected to voice. */
export async function untilConnected({ query }: CallPlatform, count = 1): Promise<void> {
  const deadline = Date.now() + connectMs;
  while ((await query('select 1 from media_nodes where connected')).length < count) {
    if (Date.now() > deadline) throw new Error(`${count} media nodes did not connect to voice.`);
    await sleep(100);
  }
}
