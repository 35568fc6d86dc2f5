import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { inject } from 'vitest';
import { inDev } from '../../../../tools/dev/paths.ts';
import { cloneDatabase } from '../database.ts';
import { edgeLogin } from '../edge/edge.ts';
import type { ManyNodesDeployment } from './many-nodes.ts';
import { type OneOfEach, startOneOfEach } from './one-of-each.ts';

export interface ObservedDeployment extends OneOfEach, Pick<ManyNodesDeployment, 'query' | 'serviceUrl'> {}

export async function startObservedDeployment(settings: Record<string, string>): Promise<ObservedDeployment> {
  const dir = inDev('observability', randomBytes(4).toString('hex'));
  mkdirSync(dir, { recursive: true });
  const database = await cloneDatabase();
  const { query, serviceUrl } = database;
  const stores = { query, serviceUrl, edgeUrl: await edgeLogin(database), redisUrl: inject('redisUrl') };
  const started = await startOneOfEach(dir, stores, settings);
  return {
    ...started,
    query,
    serviceUrl,
    async stop() {
      await started.stop();
      await database.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
