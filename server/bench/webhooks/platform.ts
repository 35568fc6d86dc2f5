import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inDev, root } from '../../../tools/dev/paths.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import { migrate } from '../../src/main/migrate.ts';
import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { insertEndpoints } from '../../test/harness/webhooks/endpoints.ts';
import { freshDatabase } from '../calls/database.ts';
import { type Program, startProgram } from '../calls/program.ts';
import { openOwner } from '../owner-pool.ts';
import { benchKeyRing, benchKeySetting } from '../webhooks-service.ts';
import * as bare from './bare-statements.ts';

/** The worker and the minimal sender on one database, with the accounts whose events they deliver. */
export interface WebhookPlatform {
  query: OwnerQuery;
  worker: Program;
  bare: Program;
  /** Accounts with an endpoint. */
  accounts: number[];
  /** Accounts whose events are numbered and delivered to no endpoint. */
  silent: number[];
  stop(): Promise<void>;
}

export async function startWebhookPlatform(
  adminUrl: string,
  redisUrl: string,
  receiver: string,
  endpoints: number,
): Promise<WebhookPlatform> {
  const dir = inDev('bench', 'webhooks');
  mkdirSync(join(dir, 'recordings'), { recursive: true });
  const urls = await freshDatabase(adminUrl, 'disca_bench_webhooks', { migrate });
  const owner = openOwner(urls.owner, 2);
  const { query } = owner;
  const paths = Array.from({ length: 2 * endpoints }, (_, index) => `${receiver}/ok/${index}`);
  const all = await insertEndpoints(query, benchKeyRing, paths);
  const [accounts, silent] = [all.slice(0, endpoints), all.slice(endpoints)];
  await query('update integrations set webhook = false where account_id = any ($1)', [silent]);
  await query(bare.schema);
  await query(bare.fill);
  await query('analyze bare.endpoints, bare.events');
  const worker = await startProgram({
    ...{ name: 'worker', file: 'server/src/main/worker.ts', root, dir },
    env: workerSettings(dir, urls.service, redisUrl),
  });
  const port = await freePort();
  const sender = await startProgram({
    ...{ name: 'bare', file: 'server/bench/webhooks/bare-process.ts', root, dir },
    env: { DATABASE_URL: urls.owner, HTTP_PORT: String(port), RECEIVER: receiver },
    readyUrl: `http://127.0.0.1:${port}/`,
  });
  return {
    ...{ query, worker, bare: sender, accounts, silent },
    async stop() {
      await Promise.all([worker.stop(), sender.stop()]);
      await owner.close();
    },
  };
}

const workerSettings = (dir: string, serviceUrl: string, redisUrl: string): Record<string, string> => ({
  DATABASE_URL: serviceUrl,
  REDIS_URL: redisUrl,
  PUBLIC_URL: 'http://api.disca.test',
  CONSOLE_URL: 'http://console.disca.test',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Disca <no-reply@disca.test>',
  ACCOUNT_DOMAIN_SUFFIX: '.disca.test',
  KEY_RING: benchKeySetting,
  STORAGE_URL: pathToFileURL(join(dir, 'recordings')).href,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  SHUTDOWN_GRACE_MS: '1000',
});
