import { sql } from 'kysely';
import { createSmtpTransport } from '../adapters/mail/smtp.ts';
import { createWebhookSender } from '../adapters/webhooks/index.ts';
import { runWebhooks } from '../contexts/webhooks/index.ts';
import { buildOps } from '../http/ops.ts';
import { assertRestrictedRole } from '../platform/db/role.ts';
import { startWorking } from '../platform/jobs.ts';
import { openRedis } from '../platform/redis/redis.ts';
import { createWaker } from '../platform/redis/wake.ts';
import { readConfig } from './config.ts';
import { jobHandlers, jobSchedule } from './jobs.ts';
import { measureJobs } from './observe/measured-jobs.ts';
import { exportStateMetrics } from './observe/state.ts';
import { run } from './run.ts';
import { eventChannel, showRedis, wireBase, wireMoney, wireTracing } from './wire.ts';

/** The worker: runs queued and scheduled jobs. */
await run('worker', async (lifecycle) => {
  const config = readConfig(process.env);
  const base = wireBase(config, 'worker', { tracing: await wireTracing(config, 'worker') });
  const { db, log, metrics, instruments } = base;
  exportStateMetrics(instruments, db);
  await assertRestrictedRole(db);
  await base.storage.check();
  const transport = createSmtpTransport({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const money = await wireMoney(config, base);
  const redis = openRedis(config.REDIS_URL, (error) => log.warn({ err: error }, 'redis unavailable'));
  showRedis(instruments, redis);
  const sender = createWebhookSender({ allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS });
  const working = await startWorking(
    db,
    measureJobs(jobHandlers({ ...base, ...money, transport }), instruments),
    jobSchedule,
    (error) => log.error({ err: error }, 'job failed'),
  );
  const stopping = new AbortController();
  const webhooks = runWebhooks(
    {
      ...base,
      ...money,
      sender,
      wakeFeeds: createWaker(redis, eventChannel),
      onError: (error) => log.warn({ err: error }, 'webhook delivery failed; retrying'),
    },
    stopping.signal,
  );
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
      stopping.abort();
      await Promise.all([webhooks, working.stop(config.SHUTDOWN_GRACE_MS)]);
      await sender.close();
      redis.disconnect();
      await money.jobs.close();
      await transport.close();
      base.storage.close();
      await base.longQueryDb.close();
      await db.close();
      await base.tracing.close();
      await ops.close();
    },
  };
});
