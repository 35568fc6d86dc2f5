import { drainNode } from '../../../src/contexts/telephony/index.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { systemClock } from '../../../src/platform/time.ts';
import { type ManyNodesDeployment, untilControlled } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import type { Program } from './program.ts';

type Restartable = Pick<Program, 'name' | 'restart'>;

/** Maximum time that a running call may continue during a drain. */
const maxDrainSeconds = 120;

/**
 * Returns the restarts of engines. Media nodes are drained, restarted and undrained; edges are restarted without
 * draining.
 */
export const engineRestarts = (deployment: ManyNodesDeployment): Restartable[] => [
  ...deployment.nodes.map(({ name, engine }) => ({
    name,
    restart: () => restartNode(deployment, name, engine),
  })),
  ...deployment.engines.edges.map(({ place, engine }) => ({
    name: `edge${place.id}`,
    restart: async () => {
      const beganAtMs = Date.now();
      await engine.restart();
      return { endedMs: 0, readyMs: Date.now() - beganAtMs };
    },
  })),
];

async function restartNode(
  deployment: ManyNodesDeployment,
  name: string,
  engine: ManyNodesDeployment['nodes'][0]['engine'],
): Promise<{ endedMs: number; readyMs: number }> {
  const beganAtMs = Date.now();
  await drain(deployment, name, true);
  await until(
    async () =>
      (await deployment.query('select from live_calls where node = $1 limit 1', [name])).length === 0,
    `${name} is empty`,
    maxDrainSeconds,
  );
  const endedMs = Date.now() - beganAtMs;
  await engine.restart();
  await untilControlled(deployment.query, [name]);
  await drain(deployment, name, false);
  return { endedMs, readyMs: Date.now() - beganAtMs };
}

/** Does the same as `disca node drain` and `disca node undrain`. */
export async function drain(
  { ownerUrl }: ManyNodesDeployment,
  name: string,
  isDraining: boolean,
): Promise<void> {
  const options = { url: ownerUrl, poolSize: 1, applicationName: 'test', statementTimeoutMs: 60_000 };
  const db = openDatabase(options, () => undefined);
  await drainNode({ db, clock: systemClock }, name, isDraining);
  await db.close();
}
