import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { inject } from 'vitest';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { type Program, startProgram } from '../../scenarios/many-nodes/program.ts';
import { cloneDatabase } from '../database.ts';
import { edgeLogin } from '../edge/edge.ts';
import { chooseCell, startEngines } from '../voice/engines.ts';
import { buildSettings } from './chaos.ts';
import {
  insertDeploymentSettings,
  type ManyNodesDeployment,
  startShipper,
  untilControlled,
} from './many-nodes.ts';

/** One of each process, with an edge, a media node and the simulator. */
export interface ObservedDeployment
  extends Pick<ManyNodesDeployment, 'apiUrl' | 'query' | 'engines' | 'serviceUrl' | 'dir'> {
  programs: Record<'api' | 'worker' | 'voice' | 'shipper', Program>;
  stop(): Promise<void>;
}

export async function startObservedDeployment(settings: Record<string, string>): Promise<ObservedDeployment> {
  const dir = inDev('observability', randomBytes(4).toString('hex'));
  mkdirSync(dir, { recursive: true });
  const [database, cell] = await Promise.all([cloneDatabase(), chooseCell()]);
  const nodeSecret = randomBytes(18).toString('base64url');
  await insertDeploymentSettings(database.query, cell, nodeSecret, [1]);
  const [apiPort, voicePort] = [await freePort(), await freePort()];
  const env = {
    ...buildSettings(dir, database.serviceUrl, inject('redisUrl')),
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
      edgeDatabaseUrl: await edgeLogin(database),
      controlUrl: `ws://127.0.0.1:${voicePort}/asterisk`,
      nodeSecret,
    }),
  ]);
  const shipper = await startShipper(dir, 1, engines.node, voicePort, nodeSecret);
  await untilControlled(database.query, ['m1']);
  const programs = { api, worker, voice, shipper };
  return {
    dir,
    apiUrl: `http://127.0.0.1:${apiPort}/api/v1`,
    serviceUrl: database.serviceUrl,
    query: database.query,
    engines,
    programs,
    async stop() {
      await Promise.all(Object.values(programs).map((program) => program.stop()));
      await engines.stop();
      await database.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
