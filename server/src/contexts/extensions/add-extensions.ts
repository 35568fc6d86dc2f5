import type { Caller } from '../../platform/caller.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { DigestKeys } from '../../platform/digest-keys.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { requireRoom } from '../limits/index.ts';
import { findTrustedUsers } from '../users/index.ts';
import { storedDigest } from './digest.rules.ts';
import { findDigestUse } from './digest.store.ts';
import type { NewExtension } from './extension.rules.ts';
import { countExtensions, findDomain, insertExtensions } from './extension.store.ts';
import { auditView, type Extension } from './extension.ts';
import { ha1Of, sealSenha } from './senha.ts';

export interface ExtensionDeps {
  db: Database;
  clock: Clock;
  keyRing: KeyRing;
  digestKeys: DigestKeys;
}

/** Inserts validated extensions, if the account's budget suffices for all. The user with the same e-mail becomes the owner. */
export async function addExtensions(
  tx: Tx,
  deps: ExtensionDeps,
  caller: Caller,
  inputs: NewExtension[],
): Promise<Extension[]> {
  const { accountId } = caller;
  await requireRoom(tx, accountId, 'extensions', () => countExtensions(tx, accountId), inputs.length);
  const at = deps.clock.now();
  const domain = await findDomain(tx, accountId);
  const emails = inputs.map(({ email }) => email);
  const userIds = await findTrustedUsers(tx, accountId, emails);
  const use = await findDigestUse(tx);
  const extensions = inputs.map(({ senha, ...input }) => ({
    ...input,
    accountId,
    domain,
    senhaSealed: sealSenha(deps.keyRing, senha),
    digest: storedDigest(
      deps.digestKeys,
      use,
      { username: input.ramal, domain },
      ha1Of(input.ramal, domain, senha),
    ),
    userId: userIds.get(input.email.toLowerCase()) ?? null,
    registeredAt: null,
    at,
  }));
  const ids = await insertExtensions(tx, extensions);
  const added: Extension[] = [];
  for (const { digest: _, at: __, ...extension } of extensions) {
    const id = ids.get(extension.ramal);
    if (id === undefined) throw new Error(`Extension ${extension.ramal} was not inserted.`);
    added.push({ ...extension, id });
    await recordChangeBy(tx, caller, {
      at,
      action: 'extension.create',
      target: { type: 'extension', id: String(id) },
      after: auditView({ ...extension, id }),
    });
  }
  return added;
}
