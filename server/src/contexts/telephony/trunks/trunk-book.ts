import type { Database } from '../../../platform/db/database.ts';
import { hostOf } from './trunk.rules.ts';
import { findTrunks } from './trunk.store.ts';
import type { Trunk } from './trunk.ts';
import { createTrunkHosts } from './trunk-hosts.ts';

/** The trunks as they were a moment ago: choosing one costs no question. */
export interface TrunkBook {
  all(): readonly Trunk[];
  /** The addresses that the trunk's host has. */
  addressesOf(trunk: Trunk): readonly string[];
  close(): void;
}

/** How late a change of the operator is seen. */
const refreshEveryMs = 2_000;

/** While the database is away, the trunks known last are used. */
export async function openTrunkBook(db: Database, onFailure: (error: unknown) => void): Promise<TrunkBook> {
  const hosts = createTrunkHosts();
  let trunks = await findTrunks(db);
  const lookUp = () =>
    hosts.refresh(
      trunks.map(({ address }) => hostOf(address)),
      Date.now(),
    );
  void lookUp();
  let isReading = false;
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    findTrunks(db)
      .then((found) => {
        trunks = found;
        return lookUp();
      })
      .catch(onFailure)
      .finally(() => {
        isReading = false;
      });
  }, refreshEveryMs);
  timer.unref();
  return {
    all: () => trunks,
    addressesOf: ({ address }) => hosts.addressesOf(hostOf(address)),
    close: () => clearInterval(timer),
  };
}
