import { sql } from 'kysely';
import { buildOps } from '../http/ops.ts';
import { assertRestrictedRole } from '../platform/db/role.ts';
import { reading } from '../platform/telemetry/metrics.ts';
import { readConfig } from './config.ts';
import { run } from './run.ts';
import { startVoice } from './start-voice.ts';
import { wireBase, wireMoney, wireTracing } from './wire.ts';

/** Call control: media nodes connect to this process, which controls their calls. */
await run('voice', async (lifecycle) => {
  const config = readConfig(process.env);
  const base = wireBase(config, 'voice', { tracing: await wireTracing(config, 'voice') });
  const { db, log, metrics } = base;
  await assertRestrictedRole(db);
  await base.storage.check();
  const money = await wireMoney(config, base);
  const voice = await startVoice(config, base, money);
  base.instruments.gauge('disca_media_nodes', () => reading(voice.connectedNodes()));
  const ops = buildOps({
    metrics,
    checks: { database: () => sql`select 1`.execute(db.kysely) },
    isStopping: lifecycle.isStopping,
  });
  await ops.listen({ host: config.OPS_HOST, port: config.OPS_PORT });
  return {
    log,
    graceMs: config.SHUTDOWN_GRACE_MS,
    async stop() {
      await voice.stop();
      await money.jobs.close();
      base.storage.close();
      await base.longQueryDb.close();
      await db.close();
      await base.tracing.close();
      await ops.close();
    },
  };
});
