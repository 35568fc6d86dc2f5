import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { buildApp } from '../http/app.ts';
import { buildOps } from '../http/ops.ts';
import { assertRestrictedRole } from '../platform/db/role.ts';
import { readConfig } from './config.ts';
import { run } from './run.ts';
import { wireApi, wireTracing } from './wire.ts';

/** The API process: serves requests and holds no state. */
await run('api', async (lifecycle) => {
  const config = readConfig(process.env);
  const api = await wireApi(config, { tracing: await wireTracing(config, 'api') });
  const { db, log, metrics } = api.base;
  await assertRestrictedRole(db);
  await api.base.storage.check();
  const app = await buildApp({ ...api.app, isStopping: lifecycle.isStopping });
  const ops = buildOps({
    metrics,
    // Readiness does not depend on Redis: without it, limits are counted per process.
    checks: { database: () => sql`select 1`.execute(db.kysely) },
    isStopping: lifecycle.isStopping,
  });
  await app.listen({ host: config.HTTP_HOST, port: config.HTTP_PORT });
  await ops.listen({ host: config.OPS_HOST, port: config.OPS_PORT });
  return {
    log,
    graceMs: config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_GRACE_MS,
    async stop() {
      // The load balancer keeps sending requests until it sees that this process is not ready.
      await sleep(config.SHUTDOWN_DELAY_MS);
      await app.close();
      await api.close();
      await ops.close();
    },
  };
});
