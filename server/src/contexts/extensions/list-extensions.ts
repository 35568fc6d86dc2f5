import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { defineList, fetchArray, parseFilter, pickFields } from '../../platform/filter/index.ts';
import type { ArrayQuery } from '../../platform/list-schemas.ts';
import { noteSenhaRead } from '../access/index.ts';
import { findUsers, type User } from '../users/index.ts';
import type { ExtensionDeps } from './add-extensions.ts';
import { extensionFromRow, findExtension, findFreeRamal, selectExtensions } from './extension.store.ts';
import type { Extension } from './extension.ts';

const extensions = defineList({
  name: 'extensions',
  fields: {
    id: { type: 'integer', sortable: true },
    domain: { type: 'text' },
    ramal: { type: 'text', sortable: true },
    senha: { type: 'text', filterable: false },
    bina: { type: 'text', isPhone: true, sortable: true },
    first_name: { type: 'text', isFolded: true, sortable: true },
    last_name: { type: 'text', isFolded: true, sortable: true },
    email_address: { type: 'text', isFolded: true, sortable: true },
    gravar_audio: { type: 'integer', sortable: true },
    auto_answer: { type: 'integer', sortable: true },
    registered: { type: 'boolean', sortable: true },
    registered_at: { type: 'timestamp', sortable: true, nullable: true },
  },
  defaultOrder: ['id DESC'],
  tieBreaker: 'id',
  includes: ['user'],
  maxLimit: 1000,
});

/** Lists extensions. With `include: "user"` every item also contains the owner as `presentOwner` returns it. */
export async function listExtensions<Shown extends object, ShownOwner extends object>(
  deps: ExtensionDeps,
  caller: Caller,
  { filter, limit, offset }: ArrayQuery,
  present: (extension: Extension) => Shown,
  presentOwner: (user: User | undefined) => ShownOwner,
): Promise<{ items: Partial<Shown & ShownOwner>[]; total: number; isEstimated: boolean }> {
  const asked = parseFilter(extensions, filter, { limit, offset });
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const query = await asked.forAccount(tx, caller.accountId);
    const source = selectExtensions(tx, caller.accountId, deps.clock.now());
    const { rows, ...count } = await fetchArray(tx, extensions, source, query);
    const listed = rows.map(extensionFromRow);
    const showsSenhas = listed.length > 0 && (query.fields?.includes('senha') ?? true);
    if (showsSenhas) await noteSenhaRead(tx, caller, deps.clock.now());
    const owners = query.include.includes('user') && (await findOwners(tx, caller.accountId, listed));
    const items = listed.map((extension) => ({
      ...pickFields(query, present(extension)),
      ...(owners ? presentOwner(owners.get(extension.userId ?? 0)) : {}),
    }));
    return { items: items as Partial<Shown & ShownOwner>[], ...count };
  });
}

async function findOwners(tx: Tx, accountId: number, found: Extension[]): Promise<Map<number, User>> {
  const ids = found.flatMap(({ userId }) => userId ?? []);
  const users = await findUsers(tx, accountId, [...new Set(ids)]);
  return new Map(users.map((user) => [user.id, user]));
}

export async function getExtension(deps: ExtensionDeps, caller: Caller, id: number): Promise<Extension> {
  const at = deps.clock.now();
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const extension = await findExtension(tx, caller.accountId, id, at);
    if (!extension) throw notFound();
    await noteSenhaRead(tx, caller, at);
    return extension;
  });
}

/** Returns the number that the next extension would get. It is not reserved. */
export const previewRamal = async (deps: ExtensionDeps, { accountId }: Caller): Promise<string> =>
  await inAccount(deps.db, accountId, (tx) => findFreeRamal(tx, accountId));
