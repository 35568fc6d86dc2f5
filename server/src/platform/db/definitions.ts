import type pg from 'pg';
import { type Definition, type Definitions, readDefinitions } from './definition-files.ts';

/** How the functions, views, triggers and policies of a database relate to this release's files. */
export interface DefinitionStatus {
  /** Files that are not installed, or in another version. */
  pending: string[];
  /** Objects that were changed, added or removed other than by `disca migrate`. */
  changedByHand: string[];
  /** True if a newer release installed its definitions; this release does not change them. */
  isNewer: boolean;
}

const lockTimeout = "set local lock_timeout = '5s'";

/**
 * Installs the files that changed, each in its own transaction, because policies and triggers lock their tables and
 * only one table may be locked at a time. Reinstalls all files if a definition was changed by hand. Returns the
 * installed files.
 */
export async function applyDefinitions(
  client: pg.Client,
  directory: string,
  onApplied: (name: string, tookMs: number) => void = () => undefined,
): Promise<string[]> {
  const definitions = await readDefinitions(directory);
  const pending = await findPending(client, definitions);
  for (const file of pending) {
    const startedMs = Date.now();
    await inTransaction(client, async () => {
      await applyOne(client, file);
      await client.query(
        `insert into sql_definitions (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
        [file.name, file.checksum],
      );
    });
    onApplied(file.name, Date.now() - startedMs);
  }
  const installed = await readRevision(client);
  if (pending.length > 0 || (installed ?? 0) < definitions.revision) await finish(client, definitions);
  return pending.map(({ name }) => name);
}

/** Applies the changed files in the caller's transaction; the caller rolls it back. */
export async function rehearseDefinitions(client: pg.Client, directory: string): Promise<string[]> {
  const definitions = await readDefinitions(directory);
  const pending = await findPending(client, definitions);
  for (const file of pending) await applyOne(client, file);
  return pending.map(({ name }) => name);
}

export async function readDefinitionStatus(client: pg.Client, directory: string): Promise<DefinitionStatus> {
  const definitions = await readDefinitions(directory);
  const isNewer = ((await readRevision(client)) ?? 0) > definitions.revision;
  const applied = await readApplied(client);
  return {
    isNewer,
    pending: isNewer ? [] : definitions.files.filter(isChangedSince(applied)).map(({ name }) => name),
    changedByHand: await findChangedByHand(client),
  };
}

async function findPending(client: pg.Client, { revision, files }: Definitions): Promise<Definition[]> {
  const installed = await readRevision(client);
  if (installed !== undefined && installed > revision) return [];
  if ((await findChangedByHand(client)).length > 0) return files;
  return files.filter(isChangedSince(await readApplied(client)));
}

const isChangedSince =
  (applied: Map<string, string>) =>
  ({ name, checksum }: Definition): boolean =>
    applied.get(name) !== checksum;

async function applyOne(client: pg.Client, { name, text }: Definition): Promise<void> {
  await client.query(text).catch((error: unknown) => {
    throw new Error(`server/sql/${name}.sql failed: ${(error as Error).message}`, { cause: error });
  });
}

/** Drops definitions that no release uses any more, and records the installed state. */
async function finish(client: pg.Client, { revision, files, dropped }: Definitions): Promise<void> {
  await inTransaction(client, async () => {
    for (const former of dropped) await client.query(dropStatement(former));
    await client.query('delete from sql_definitions where name <> all ($1::text[])', [
      files.map(({ name }) => name),
    ]);
    const objects = [...(await readObjects(client))];
    await client.query('delete from sql_objects');
    await client.query(
      'insert into sql_objects (identity, checksum) select * from unnest($1::text[], $2::text[])',
      [objects.map(([identity]) => identity), objects.map(([, checksum]) => checksum)],
    );
    await client.query(
      `insert into sql_revision (revision) values ($1)
       on conflict (is_only) do update set revision = excluded.revision`,
      [revision],
    );
  });
}

const dropStatement = (former: string): string => former.replace(/^(\w+) /, 'drop $1 if exists ');

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(lockTimeout);
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function exists(client: pg.Client, table: string): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_class where oid = to_regclass($1)`, [table]);
  return rowCount === 1;
}

async function readRevision(client: pg.Client): Promise<number | undefined> {
  if (!(await exists(client, 'public.sql_revision'))) return undefined;
  const { rows } = await client.query<{ revision: number }>('select revision from sql_revision');
  return rows[0]?.revision;
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  if (!(await exists(client, 'public.sql_definitions'))) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from sql_definitions',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Compares the current objects with those recorded by the last installation; without a record, nothing is reported. */
async function findChangedByHand(client: pg.Client): Promise<string[]> {
  if ((await readRevision(client)) === undefined) return [];
  const { rows } = await client.query<{ identity: string; checksum: string }>(
    'select identity, checksum from sql_objects',
  );
  const recorded = new Map(rows.map(({ identity, checksum }) => [identity, checksum]));
  const live = await readObjects(client);
  return [...new Set([...recorded.keys(), ...live.keys()])]
    .filter((identity) => recorded.get(identity) !== live.get(identity))
    .toSorted();
}

/** Returns a checksum for every function, view, trigger and policy of our schemas, by its identity. */
export async function readObjects(client: pg.Client): Promise<Map<string, string>> {
  const { rows: before } = await client.query<{ path: string }>(
    `select current_setting('search_path') as path`,
  );
  // Makes PostgreSQL qualify every name with its schema, whatever the session's search path is.
  await client.query('set search_path = pg_catalog');
  const { rows } = await client.query<{ identity: string; checksum: string }>(objectQuery);
  await client.query(`select set_config('search_path', $1, false)`, [before[0]?.path]);
  return new Map(rows.map(({ identity, checksum }) => [identity, checksum]));
}

const objectQuery = `
  with ours as (
    select oid, nspname from pg_namespace where nspname in ('public', 'edge')
  ), relations as (
    select c.oid, c.relkind, c.relrowsecurity, c.reloptions, format('%I.%I', o.nspname, c.relname) as name
      from pg_class c join ours o on o.oid = c.relnamespace
  )
  select format('function %I.%I(%s)', o.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as identity,
         md5(pg_get_functiondef(p.oid) || coalesce((
           select string_agg(coalesce(g.rolname, 'public'), ',' order by g.rolname)
             from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
             left join pg_roles g on g.oid = a.grantee
            where a.grantee <> p.proowner), '')) as checksum
    from pg_proc p join ours o on o.oid = p.pronamespace
   where p.prokind in ('f', 'p')
     and not exists (select from pg_depend d
                      where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  union all
  select 'view ' || r.name, md5(pg_get_viewdef(r.oid) || coalesce(r.reloptions::text, ''))
    from relations r where r.relkind = 'v'
  union all
  select format('trigger %I on %s', t.tgname, r.name), md5(pg_get_triggerdef(t.oid) || t.tgenabled::text)
    from pg_trigger t join relations r on r.oid = t.tgrelid
   where not t.tgisinternal and t.tgparentid = 0
  union all
  select format('policy %I on %s', p.polname, r.name),
         md5(concat_ws(' ', p.polcmd, p.polpermissive, p.polroles::regrole[], pg_get_expr(p.polqual, p.polrelid),
                       pg_get_expr(p.polwithcheck, p.polrelid)))
    from pg_policy p join relations r on r.oid = p.polrelid
  union all
  select 'row security of ' || r.name, md5('enabled') from relations r where r.relrowsecurity`;
