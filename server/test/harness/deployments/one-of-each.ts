import { randomBytes } from 'node:crypto';
import { freePort } from '../../../../tools/dev/ports.ts';
import { type Program, startProgram } from '../../scenarios/many-nodes/program.ts';
import type { OwnerQuery } from '../fixtures/billing-rows.ts';
import { chooseCell, type Engines, startEngines } from '../voice/engines.ts';
import { buildSettings } from './chaos.ts';
import { insertDeploymentSettings, startShipper, untilControlled } from './many-nodes.ts';

/** One of each process, with an edge, a media node and the simulator. */
export interface OneOfEach {
  dir: string;
  apiUrl: string;
  engines: Engines;
  programs: Record<'api' | 'worker' | 'voice' | 'shipper', Program>;
  stop(): Promise<void>;
}

/** A migrated database and a Redis. */
interface UsedStores {
  query: OwnerQuery;
  serviceUrl: string;
  edgeUrl: string;
  redisUrl: string;
}

export async function startOneOfEach(
  dir: string,
  { query, serviceUrl, edgeUrl, redisUrl }: UsedStores,
  settings: Record<string, string>,
): Promise<OneOfEach> {
  const cell = await chooseCell();
  const nodeSecret = randomBytes(18).toString('base64url');
  await insertDeploymentSettings(query, cell, nodeSecret, [1]);
  const [apiPort, voicePort] = [await freePort(), await freePort()];
  const env = {
    ...buildSettings(dir, serviceUrl, redisUrl),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SHUTDOWN_DELAY_MS: '0',
    HTTP_PORT: String(apiPort),
    VOICE_PORT: String(voicePort),
    ...settings,
  };
  const [api, worker, voice, engines] = await Promise.all([
    startProgram('api', 1, { dir, env }),
    startProgram('worker', 1, { dir, env }),
    startProgram('voice', 1, { dir, env }),
    startEngines({
      cell,
      edgeDatabaseUrl: edgeUrl,
      controlUrl: `ws://127.0.0.1:${voicePort}/asterisk`,
      nodeSecret,
    }),
  ]);
  const shipper = await startShipper(dir, 1, engines.node, voicePort, nodeSecret);
  await untilControlled(query, ['m1']);
  const programs = { api, worker, voice, shipper };
  return {
    dir,
    apiUrl: `http://127.0.0.1:${apiPort}/api/v1`,
    engines,
    programs,
    async stop() {
      await Promise.all(Object.values(programs).map((program) => program.stop()));
      await engines.stop();
    },
  };
}
