import type { Database } from '../../../platform/db/database.ts';
import { refreshEvery } from '../../../platform/refresh.ts';
import { hostOf } from './trunk.rules.ts';
import { findTrunks } from './trunk.store.ts';
import type { Trunk } from './trunk.ts';
import { createTrunkHosts } from './trunk-hosts.ts';

/** The trunks. Refreshed in the background, so that choosing one needs no query. */
export interface TrunkDirectory {
  all(): readonly Trunk[];
  /** IP addresses of the trunk's host. */
  addressesOf(trunk: Trunk): readonly string[];
  close(): void;
}

/** A change by the operator takes effect after at most this time. */
const refreshEveryMs = 2_000;

/** Opens the directory. It keeps the last known trunks while the database is unavailable. */
export async function openTrunkDirectory(
  db: Database,
  onFailure: (error: unknown) => void,
): Promise<TrunkDirectory> {
  const hosts = createTrunkHosts();
  let trunks = await findTrunks(db);
  const lookUp = () =>
    hosts.refresh(
      trunks.map(({ address }) => hostOf(address)),
      Date.now(),
    );
  void lookUp();
  const refresh = async () => {
    trunks = await findTrunks(db);
    await lookUp();
  };
  return {
    all: () => trunks,
    addressesOf: ({ address }) => hosts.addressesOf(hostOf(address)),
    close: refreshEvery(refreshEveryMs, refresh, onFailure),
  };
}
