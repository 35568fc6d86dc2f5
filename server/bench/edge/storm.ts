import type { RunningKamailio } from '../../../tools/dev/services/kamailio.ts';
import type { SipAddress } from '../../../tools/dev/voice/cell.ts';
import { openCrowd, type Storm } from '../../test/scenarios/edge-endurance/crowd.ts';
import { crowdPhone } from '../../test/scenarios/edge-endurance/crowd-rows.ts';
import type { Results } from '../../test/scenarios/edge-endurance/legitimate-phones.ts';
import { percentile } from '../calls-list.ts';
import { processorSeconds } from '../processor-time.ts';

export interface StormPlan {
  name: string;
  engine: RunningKamailio;
  place: SipAddress;
  /** Pid of the PostgreSQL postmaster. */
  postgres: number;
  phones: number;
  /** Index of the first phone. */
  from: number;
  transport: 'udp' | 'tcp';
}

interface Calls {
  stop(): Promise<Results>;
}

export interface StormResult {
  perSecond: number;
  failed: number;
  /** Calls to registered phones during the storm. */
  calls: { asked: number; failed: number };
}

/** Kills and restarts the edge; then all phones register at the same time. */
export async function runStorm(plan: StormPlan, startCalls?: () => Calls): Promise<StormResult> {
  const phones = Array.from({ length: plan.phones }, (_, index) => crowdPhone(plan.from + index));
  const crowd = await openCrowd(plan.place, phones, plan.transport);
  try {
    await plan.engine.stop('kill');
    const diedAt = performance.now();
    await plan.engine.restart('kill');
    const downMs = performance.now() - diedAt;
    const spent = startCounting(plan);
    // Calls that ring while their edge is killed may fail; calls placed from here on may not.
    const calls = startCalls?.();
    const storm = await crowd.registerAtOnce();
    const result = reportStorm(plan, storm, downMs, spent());
    const placed = await calls?.stop();
    if (placed)
      console.log(`${plan.name}: ${placed.asked} calls during the storm, ${summarizeFaults(placed)}`);
    return { ...result, calls: { asked: placed?.asked ?? 0, failed: placed?.faults.length ?? 0 } };
  } finally {
    await crowd.close();
  }
}

const startCounting = ({ engine, postgres }: StormPlan) => {
  const now = (): number[] => [processorSeconds(engine.pid), processorSeconds(postgres), ownSeconds()];
  const before = now();
  return (): number[] => now().map((seconds, index) => seconds - (before[index] ?? 0));
};

export const summarizeFaults = ({ faults }: Results): string =>
  [`${faults.length} failed`, ...new Set(faults)].join(', ');

const ownSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function reportStorm(
  plan: StormPlan,
  storm: Storm,
  downMs: number,
  spent: number[],
): Omit<StormResult, 'calls'> {
  const perSecond = (storm.tookMs.length * 1000) / storm.lastMs;
  const each = spent.map((seconds) => ((seconds * 1000) / storm.phones).toFixed(2));
  const refused = [...storm.refusals].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  const times = [0.5, 0.95, 1].map((share) => (percentile(storm.tookMs, share) / 1000).toFixed(1)).join('/');
  console.log(
    `${plan.name}: ${storm.phones} ${plan.transport} phones back in ${(storm.lastMs / 1000).toFixed(1)} s after ${(downMs / 1000).toFixed(1)} s without an edge, ` +
      `${perSecond.toFixed(0)} per second, p50/p95/last ${times} s, ${storm.failed} failed, refused ${refused}, ` +
      `${storm.retransmissions} retransmissions, ${storm.restarted} restarted; CPU per phone: Kamailio ${each[0]} ms, PostgreSQL ${each[1]} ms, phones ${each[2]} ms`,
  );
  return { perSecond, failed: storm.failed };
}
