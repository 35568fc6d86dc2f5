import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosDeployment, type KillTarget, killTargets } from '../../harness/deployments/chaos.ts';
import type { Random } from './random.ts';

export interface Kill {
  target: KillTarget;
  atMs: number;
  /** When the target was restarted. */
  backAtMs: number;
}

/** Plans kills of all targets equally often, in an order and at times given by the seed. */
export function planKills(
  random: Random,
  count: number,
  lengthMs: number,
): { target: KillTarget; afterMs: number }[] {
  const rounds = Math.ceil(count / killTargets.length);
  const targets = Array.from({ length: rounds }, () => random.shuffle(killTargets)).flat();
  const share = lengthMs / count;
  return targets
    .slice(0, count)
    .map((target, index) => ({ target, afterMs: (index + random.next()) * share }));
}

/** Kills as planned. Kills may overlap, but a target is killed again only after it has restarted. */
export async function killAsPlanned(
  deployment: ChaosDeployment,
  plan: ReturnType<typeof planKills>,
): Promise<Kill[]> {
  const startedAtMs = Date.now();
  const last = new Map<KillTarget, Promise<unknown>>();
  const kills = plan.map(async ({ target, afterMs }) => {
    await sleep(Math.max(startedAtMs + afterMs - Date.now(), 0));
    const before = last.get(target);
    const killed = (async (): Promise<Kill> => {
      await before;
      const atMs = Date.now();
      await deployment.kill(target);
      return { target, atMs, backAtMs: Date.now() };
    })();
    last.set(target, killed);
    return await killed;
  });
  return await Promise.all(kills);
}
