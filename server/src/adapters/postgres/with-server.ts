import pg from 'pg';

const connectMs = 10_000;

/** Runs the work with one connection to this server. */
export async function withServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'disca-restore',
    connectionTimeoutMillis: connectMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
