import pg from 'pg';

/**
 * Makes every new endpoint count as one that has accepted a delivery, so that tests and benchmarks can send several at a
 * time and replay. Tests of unproven endpoints undo it.
 */
export async function proveEndpoints(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    await owner.query('alter table integrations alter proven_at set default now()');
  } finally {
    await owner.end();
  }
}

/** For tests of unproven endpoints. */
export const keepUnproven = 'alter table integrations alter proven_at drop default';
