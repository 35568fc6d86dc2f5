import pg from 'pg';

/** Removes the default budgets, so that tests and benchmarks use as much as they need. Tests of budgets set them. */
export async function removeBudgets(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('update budgets set test_most = null, live_most = null');
  } finally {
    await owner.end();
  }
}
