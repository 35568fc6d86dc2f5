import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { type Fault, invalid, notFound } from '../../platform/errors.ts';
import { noteSenhaRead } from '../access/index.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findTrustedUsers, lockAdminsFor } from '../users/index.ts';
import type { ExtensionDeps } from './add-extensions.ts';
import { storedDigest } from './digest.rules.ts';
import { findDigestUse } from './digest.store.ts';
import { type ExtensionChange, faultsOf, ownerAfter } from './extension.rules.ts';
import { findExtension, findTaken, saveExtension } from './extension.store.ts';
import { auditView, type Extension } from './extension.ts';
import { ha1Of, openSenha, sealSenha } from './senha.ts';

export async function updateExtension(
  deps: ExtensionDeps,
  caller: Caller,
  id: number,
  change: ExtensionChange,
): Promise<Extension> {
  const { accountId } = caller;
  const at = deps.clock.now();
  return await inAccount(deps.db, accountId, async (tx) => {
    await lockAdminsFor(tx, caller);
    const before = await findExtension(tx, accountId, id, at);
    if (!before) throw notFound();
    const faults = await faultsAfter(tx, deps, before, change);
    if (faults.length > 0) throw invalid(...faults);
    const after = await changed(tx, deps, before, change);
    await saveExtension(tx, after, { digest: await digestAfter(tx, deps, before, after), at });
    await recordChangeBy(tx, caller, {
      at,
      action: 'extension.update',
      target: { type: 'extension', id: String(id) },
      before: auditView(before),
      after: { ...auditView(after), ...(change.senha === undefined ? {} : { senha_changed: true }) },
    });
    await noteSenhaRead(tx, caller, at);
    // Read again, because a new number or password ends the registration.
    return (await findExtension(tx, accountId, id, at)) ?? after;
  });
}

/** Returns the digest of a new number or password; undefined if both are as before. */
async function digestAfter(tx: Tx, deps: ExtensionDeps, before: Extension, after: Extension) {
  const senha = openSenha(deps.keyRing, after.senhaSealed);
  if (after.ramal === before.ramal && senha === openSenha(deps.keyRing, before.senhaSealed)) return undefined;
  const identity = { username: after.ramal, domain: after.domain };
  const ha1 = ha1Of(after.ramal, after.domain, senha);
  return storedDigest(deps.digestKeys, await findDigestUse(tx), identity, ha1);
}

/** Returns the faults of a change that the schema cannot detect; none if the account has no such extension. */
export async function faultsOfChange(
  deps: ExtensionDeps,
  { accountId }: Caller,
  id: number,
  given: Given,
): Promise<Fault[]> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const before = await findExtension(tx, accountId, id, deps.clock.now());
    return before ? await faultsAfter(tx, deps, before, given) : [];
  });
}

type Given = Pick<ExtensionChange, 'ramal' | 'senha'>;

async function faultsAfter(tx: Tx, deps: ExtensionDeps, before: Extension, given: Given): Promise<Fault[]> {
  const ramal = given.ramal ?? before.ramal;
  const isTaken = ramal !== before.ramal && (await findTaken(tx, before.accountId, [ramal])).has(ramal);
  const formerSenha = openSenha(deps.keyRing, before.senhaSealed);
  return faultsOf({ ramal, senha: given.senha ?? formerSenha, formerSenha }, isTaken);
}

async function changed(
  tx: Tx,
  deps: ExtensionDeps,
  before: Extension,
  change: ExtensionChange,
): Promise<Extension> {
  const { email } = change;
  const users = await findTrustedUsers(tx, before.accountId, email === undefined ? [] : [email]);
  return {
    ...before,
    ramal: change.ramal ?? before.ramal,
    senhaSealed: change.senha === undefined ? before.senhaSealed : sealSenha(deps.keyRing, change.senha),
    bina: change.bina ?? before.bina,
    firstName: change.firstName ?? before.firstName,
    lastName: change.lastName ?? before.lastName,
    email: email ?? before.email,
    userId: ownerAfter(before, email, users.get(email?.toLowerCase() ?? '')),
    recordCalls: change.recordCalls ?? before.recordCalls,
    autoAnswer: change.autoAnswer ?? before.autoAnswer,
  };
}
