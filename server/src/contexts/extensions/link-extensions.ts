import { recordChangeBy } from '../audit/index.ts';
import type { LinkExtensions } from '../users/index.ts';
import { takeOwnerless } from './extension.store.ts';

/** Requires a lock on the account, like every change of an extension's owner. */
export const linkExtensions: LinkExtensions = async (tx, author, user, at) => {
  for (const id of await takeOwnerless(tx, author.accountId, user, at)) {
    await recordChangeBy(tx, author, {
      at,
      action: 'extension.update',
      target: { type: 'extension', id: String(id) },
      before: { user_id: null },
      after: { user_id: user.id },
    });
  }
};
