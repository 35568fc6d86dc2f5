import { createSmtpTransport } from '../adapters/mail/smtp.ts';
import { createWebhookSender } from '../adapters/webhooks/index.ts';
import { createHostLimit, runWebhooks } from '../contexts/webhooks/index.ts';
import { assertRestrictedRole } from '../platform/db/role.ts';
import { startWorking } from '../platform/jobs.ts';
import { openRedis } from '../platform/redis/redis.ts';
import { createWaker } from '../platform/redis/wake.ts';
import { readConfig } from './config.ts';
import { jobHandlers, jobSchedule } from './jobs.ts';
import { measureJobs } from './observe/measured-jobs.ts';
import { exportStateMetrics } from './observe/state.ts';
import { run } from './run.ts';
import { serveOps } from './serve-ops.ts';
import { closeBase, eventChannel, showRedis, wireBase, wireLimiter, wireMoney, wireTracing } from './wire.ts';

/** The worker: runs queued and scheduled jobs. */
await run('worker', async (lifecycle) => {
  const config = readConfig(process.env);
  const base = wireBase(config, 'worker', { tracing: await wireTracing(config, 'worker') });
  const { db, log, instruments } = base;
  exportStateMetrics(instruments, db);
  await assertRestrictedRole(db);
  await base.storage.check();
  const transport = createSmtpTransport({
    url: config.SMTP_URL,
    tls: config.SMTP_TLS,
    from: config.MAIL_FROM,
  });
  const money = await wireMoney(config, base);
  const redis = openRedis(config.REDIS_URL, (error) => log.warn({ err: error }, 'redis unavailable'));
  showRedis(instruments, redis);
  const sender = createWebhookSender({ allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS });
  const working = await startWorking(
    db,
    measureJobs(jobHandlers({ ...base, ...money, transport, actions: config.ABUSE_ACTIONS }), instruments),
    jobSchedule,
    (error) => log.error({ err: error }, 'job failed'),
  );
  const stopping = new AbortController();
  const webhooks = runWebhooks(
    {
      ...base,
      ...money,
      sender,
      hostLimit: createHostLimit(wireLimiter(config, base, redis).limiter, config.WEBHOOK_HOST_RATE),
      wakeFeeds: createWaker(redis, eventChannel),
      onError: (error) => log.warn({ err: error }, 'webhook delivery failed; retrying'),
    },
    stopping.signal,
  );
  const ops = await serveOps(config, base, lifecycle.isStopping);
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
      await closeBase(base);
      await ops.close();
    },
  };
});
