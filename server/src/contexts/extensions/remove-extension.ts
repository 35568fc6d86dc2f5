import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { recordChangeBy } from '../audit/index.ts';
import { lockAdminsFor } from '../users/index.ts';
import type { ExtensionDeps } from './add-extensions.ts';
import { deleteExtension, findExtension } from './extension.store.ts';
import { auditView } from './extension.ts';

/** Removes an extension and its registration. Its calls remain, because they contain a copy of its data. */
export async function removeExtension(deps: ExtensionDeps, caller: Caller, id: number): Promise<void> {
  const { accountId } = caller;
  const at = deps.clock.now();
  await inAccount(deps.db, accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    const extension = await findExtension(tx, accountId, id, at);
    if (!extension) throw notFound();
    await deleteExtension(tx, accountId, id);
    await recordChangeBy(tx, caller, {
      at,
      action: 'extension.remove',
      target: { type: 'extension', id: String(id) },
      before: auditView(extension),
    });
  });
}
