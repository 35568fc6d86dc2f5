import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../http/app.ts';
import { assertRestrictedRole } from '../platform/db/role.ts';
import { readConfig } from './config.ts';
import { run } from './run.ts';
import { serveOps } from './serve-ops.ts';
import { wireApi, wireTracing } from './wire.ts';

/** The API process: serves requests and holds no state. */
await run('api', async (lifecycle) => {
  const config = readConfig(process.env);
  const api = await wireApi(config, { tracing: await wireTracing(config, 'api') });
  const { db, log } = api.base;
  await assertRestrictedRole(db);
  await api.base.storage.check();
  const app = await buildApp({ ...api.app, isStopping: lifecycle.isStopping });
  await app.listen({ host: config.HTTP_HOST, port: config.HTTP_PORT });
  const ops = await serveOps(config, api.base, lifecycle.isStopping);
  return {
    log,
    graceMs: config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_GRACE_MS,
    async stop() {
      // The load balancer sends requests until it detects that this process is not ready.
      await sleep(config.SHUTDOWN_DELAY_MS);
      await app.close();
      await api.close();
      await ops.close();
    },
  };
});
