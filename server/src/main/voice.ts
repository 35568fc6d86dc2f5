import { assertRestrictedRole } from '../platform/db/role.ts';
import { reading } from '../platform/telemetry/metrics.ts';
import { readConfig } from './config.ts';
import { run } from './run.ts';
import { serveOps } from './serve-ops.ts';
import { startVoice } from './start-voice.ts';
import { closeBase, wireBase, wireMoney, wireTracing } from './wire.ts';

/** Call control: media nodes connect to this process, which controls their calls. */
await run('voice', async (lifecycle) => {
  const config = readConfig(process.env);
  const base = wireBase(config, 'voice', { tracing: await wireTracing(config, 'voice') });
  const { db, log } = base;
  await assertRestrictedRole(db);
  await base.storage.check();
  const money = await wireMoney(config, base);
  const voice = await startVoice(config, base, money);
  base.instruments.gauge('disca_media_nodes', () => reading(voice.connectedNodes()));
  const ops = await serveOps(config, base, lifecycle.isStopping);
  return {
    log,
    graceMs: config.SHUTDOWN_GRACE_MS,
    async stop() {
      await voice.stop();
      await money.jobs.close();
      await closeBase(base);
      await ops.close();
    },
  };
});
