import type { Caller } from '../../platform/caller.ts';
import { inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { recordChangeBy } from '../audit/index.ts';
import type { ExtensionDeps } from './add-extensions.ts';
import { findExtension } from './extension.store.ts';
import { openSenha } from './senha.ts';

/** Returns the SIP password of an extension, and records who has read it. */
export async function revealSenha(deps: ExtensionDeps, caller: Caller, id: number): Promise<string> {
  const at = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const extension = await findExtension(tx, caller.accountId, id, at);
    if (!extension) throw notFound();
    await recordChangeBy(tx, caller, {
      at,
      action: 'extension.reveal',
      target: { type: 'extension', id: String(id) },
    });
    return openSenha(deps.keyRing, extension.senhaSealed);
  });
}
