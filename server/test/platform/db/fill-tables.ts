import pg from 'pg';

interface Column {
  name: string;
  type: string;
  /** Whether the database computes or numbers it. */
  isAutomatic: boolean;
}

/**
 * Writes a row of each account into every table that has none. Drops the constraints of the database and fires no
 * triggers, so that a row needs no others; row-level security does not depend on them.
 */
export async function fillTables(
  ownerUrl: string,
  tables: { name: string; account: string }[],
  accountIds: number[],
): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('set session_replication_role = replica');
    await dropChecks(owner);
    for (const { name, account } of tables) {
      const columns = await findColumns(owner, name);
      for (const accountId of accountIds) {
        const { rowCount } = await owner.query(`select from ${name} where ${account} = $1`, [accountId]);
        if (rowCount === 0) await insertSample(owner, name, account, accountId, columns);
      }
    }
  } finally {
    await owner.end();
  }
}

async function dropChecks(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
       from pg_constraint c join pg_class t on t.oid = c.conrelid
      where c.contype = 'c' and t.relnamespace = 'public'::regnamespace and not t.relispartition`,
  );
  for (const { statement } of rows) await owner.query(statement);
}

async function findColumns(owner: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await owner.query<Column>(
    `select quote_ident(a.attname) as name, format_type(a.atttypid, null) as type,
            a.attgenerated <> '' or a.attidentity <> '' as "isAutomatic"
       from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [table],
  );
  return rows;
}

async function insertSample(
  owner: pg.Client,
  table: string,
  account: string,
  accountId: number,
  columns: Column[],
): Promise<void> {
  const given = columns.filter(({ isAutomatic }) => !isAutomatic);
  const values = given.map(({ name, type }) =>
    name === account ? String(accountId) : sample(type, accountId),
  );
  await owner.query(
    `insert into ${table} (${given.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`,
  );
}

/** Returns a value of the type as SQL, another one for each account. */
function sample(type: string, accountId: number): string {
  if (type.endsWith('[]')) return `'{}'::${type}`;
  switch (type) {
    case 'text':
    case 'character':
    case 'character varying':
      return `'sample-${accountId}'`;
    case 'uuid':
      return 'gen_random_uuid()';
    case 'boolean':
      return 'true';
    case 'timestamp with time zone':
      return 'now()';
    case 'date':
      return 'current_date';
    case 'json':
    case 'jsonb':
      return `'{}'::${type}`;
    case 'bytea':
      return `decode(lpad('${accountId}', 8, '0'), 'hex')`;
    case 'inet':
    case 'cidr':
      return `'192.0.2.${accountId % 256}'::${type}`;
    case 'interval':
      return `interval '1 s'`;
    default:
      return `${accountId}::${type}`;
  }
}
