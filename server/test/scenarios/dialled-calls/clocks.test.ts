import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteGone, noteSeen, takeLease } from '../../../src/contexts/telephony/nodes/node.store.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { until } from '../../harness/until.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => {
  await platform?.close();
});

const engine = { startedAt: '2026-11-15T06:00:00.000+0000', version: '22.0.0', controlsCalls: false };

/** Returns whether edges send calls of phones to the node. */
async function takesCalls(address: string): Promise<boolean> {
  const peers = 'select from edge.trusted_peers() where setid = 2 and sip_address = $1';
  return (await platform.database.query(peers, [address])).length > 0;
}

test.each([
  ['behind', -60, '10.0.0.1:5060'],
  ['ahead', 60, '10.0.0.2:5060'],
])(
  'a connected node gets calls of phones although the clock of voice is %s',
  async (name, seconds, address) => {
    const { query } = platform.database;
    await query(
      `insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, sha256($2), $3, now())`,
      [name, name, address],
    );
    const at = new Date(Date.now() + seconds * 1_000);
    const lease = await takeLease(platform.api.base.db, name, engine, at);
    expect(await takesCalls(address)).toBe(true);
    // Repeated, because on a slow machine more time passes until the edge reads the node.
    await until(async () => {
      await noteSeen(platform.api.base.db, lease, { at, msAgo: 3_000, skewMs: 0, freeSlots: 1 });
      return await takesCalls(address);
    }, 'it gets calls for 3 s');
    await noteSeen(platform.api.base.db, lease, { at, msAgo: 4_500, skewMs: 0, freeSlots: 1 });
    expect(await takesCalls(address), 'for 4.5 s').toBe(false);

    await until(async () => {
      await noteSeen(platform.api.base.db, lease, { at, msAgo: 0, skewMs: 0, freeSlots: 1 });
      await noteGone(platform.api.base.db, lease);
      return await takesCalls(address);
    }, 'it gets calls just after its voice has stopped');
    await noteSeen(platform.api.base.db, lease, { at, msAgo: 2_500, skewMs: 0, freeSlots: 1 });
    await noteGone(platform.api.base.db, lease);
    expect(await takesCalls(address), 'it stopped 2.5 s ago').toBe(false);
  },
);
