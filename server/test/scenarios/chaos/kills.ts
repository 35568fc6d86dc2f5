import { setTimeout as sleep } from 'node:timers/promises';
import { type VictimName, victimNames, type World } from '../../harness/deployments/chaos.ts';
import type { Random } from './random.ts';

export interface Kill {
  victim: VictimName;
  atMs: number;
  /** When it was restarted. */
  backAtMs: number;
}

/** Plans kills of all targets equally often, in an order and at times given by the seed. */
export function planKills(
  random: Random,
  count: number,
  lengthMs: number,
): { victim: VictimName; afterMs: number }[] {
  const rounds = Math.ceil(count / victimNames.length);
  const victims = Array.from({ length: rounds }, () => random.shuffle(victimNames)).flat();
  const share = lengthMs / count;
  return victims
    .slice(0, count)
    .map((victim, index) => ({ victim, afterMs: (index + random.next()) * share }));
}

/** Kills as planned. Kills may overlap; a target is killed again only after it has restarted. */
export async function killAsPlanned(world: World, plan: ReturnType<typeof planKills>): Promise<Kill[]> {
  const startedAtMs = Date.now();
  const last = new Map<VictimName, Promise<unknown>>();
  const kills = plan.map(async ({ victim, afterMs }) => {
    await sleep(Math.max(startedAtMs + afterMs - Date.now(), 0));
    const before = last.get(victim);
    const killed = (async (): Promise<Kill> => {
      await before;
      const atMs = Date.now();
      await world.kill(victim);
      return { victim, atMs, backAtMs: Date.now() };
    })();
    last.set(victim, killed);
    return await killed;
  });
  return await Promise.all(kills);
}
