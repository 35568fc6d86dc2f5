import { reseal } from '../../../platform/keyring.ts';
import type { Seals } from '../../../platform/seals.ts';
import { findTrunks } from './trunk.store.ts';
import { purpose } from './trunk-login.ts';
import { countPasswords, type SealedPasswords, saveResealed } from './trunk-seal.store.ts';

export const trunkSeals: Seals = {
  name: 'passwords of trunks',
  count: countPasswords,
  async reseal({ db, keyRing }, signal) {
    const again = (sealed: string | null): string | null =>
      sealed === null ? null : (reseal(keyRing, purpose, sealed) ?? sealed);
    let count = 0;
    for (const { id, outboundLogin, inboundLogin } of await findTrunks(db)) {
      if (signal.aborted) break;
      const former: SealedPasswords = [
        outboundLogin?.passwordSealed ?? null,
        inboundLogin?.passwordSealed ?? null,
      ];
      const resealed: SealedPasswords = [again(former[0]), again(former[1])];
      if (resealed.every((sealed, index) => sealed === former[index])) continue;
      await saveResealed(db, id, former, resealed);
      count += 1;
    }
    return count;
  },
};
