import pg from 'pg';

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const existing = await client.query('select 1 from pg_database where datname = $1', [name]);
  if (existing.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
}

export async function ensureLogin(client: pg.Client, role: string, password: string): Promise<void> {
  const existing = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  const verb = existing.rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${client.escapeIdentifier(role)} login password ${client.escapeLiteral(password)}`,
  );
}
