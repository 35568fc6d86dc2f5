import { setTimeout as sleep } from 'node:timers/promises';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import type { Random } from '../chaos/random.ts';
import { drain } from '../many-nodes/engine-restarts.ts';

const pauseMs = 3_000;
const drainedMs = 3_000;

/**
 * Drains a node, restarts an edge or kills a voice process, one after the other in random order, until stopped. Audio
 * of connected calls must not be affected; calls that are being set up may fail.
 */
export function startDisturbing(
  deployment: ManyNodesDeployment,
  random: Random,
  onStep: (what: string) => void,
): { stop(): Promise<string[]> } {
  const done: string[] = [];
  const stopping = new AbortController();
  const wait = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const working = (async () => {
    while (!stopping.signal.aborted) {
      for (const { name, run } of random.shuffle(disturbances(deployment, wait))) {
        await wait(pauseMs);
        if (stopping.signal.aborted) return;
        onStep(name);
        await run();
        done.push(name);
      }
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await working;
      return done;
    },
  };
}

function disturbances(deployment: ManyNodesDeployment, wait: (ms: number) => Promise<unknown>) {
  const drains = deployment.nodes.map(({ name }) => ({
    name: `drain of ${name}`,
    async run() {
      await drain(deployment, name, true);
      await wait(drainedMs);
      await drain(deployment, name, false);
    },
  }));
  const restarts = deployment.engines.edges.map(({ place, engine }) => ({
    name: `restart of edge${place.id}`,
    run: () => engine.restart(),
  }));
  const kills = deployment.programs
    .filter(({ name }) => name.startsWith('voice'))
    .map((program) => ({
      name: `kill of ${program.name}`,
      async run() {
        await program.kill();
        await program.start();
      },
    }));
  return [...drains, ...restarts, ...kills];
}
