import type { RunningKamailio } from '../../../tools/dev/services/kamailio.ts';
import type { SipAddress } from '../../../tools/dev/voice/cell.ts';
import { openCrowd, type Storm } from '../../test/scenarios/edge-endurance/crowd.ts';
import { crowdPhone } from '../../test/scenarios/edge-endurance/crowd-rows.ts';
import type { Results } from '../../test/scenarios/edge-endurance/legitimate-phones.ts';
import { percentile } from '../calls-list.ts';
import { pinService } from '../measure/machine.ts';

export interface StormPlan {
  name: string;
  engine: RunningKamailio;
  place: SipAddress;
  phones: number;
  /** Index of the first phone. */
  from: number;
  /** Phones that start to register per second. */
  arrivals: number;
  transport: 'udp' | 'tcp';
}

interface Calls {
  stop(): Promise<Results>;
}

export interface StormResult {
  /** Time from the first arrival until 95 % of the phones are registered. */
  backMs: number;
  failed: number;
  /** Calls to registered phones during the storm. */
  calls: { asked: number; failed: number };
}

const backShare = 0.95;

/** Kills and restarts the edge; then the phones register again. */
export async function runStorm(plan: StormPlan, startCalls?: () => Calls): Promise<StormResult> {
  const phones = Array.from({ length: plan.phones }, (_, index) => crowdPhone(plan.from + index));
  const crowd = await openCrowd(plan.place, phones, plan.transport);
  try {
    await plan.engine.stop('kill');
    const diedAt = performance.now();
    await plan.engine.restart('kill');
    pinService(plan.engine.pid);
    const downMs = performance.now() - diedAt;
    // Calls that ring while their edge is killed may fail; calls placed from here on may not.
    const calls = startCalls?.();
    const storm = await crowd.registerAtOnce(plan.arrivals);
    const backMs = reportStorm(plan, storm, downMs);
    const placed = await calls?.stop();
    if (placed)
      console.log(`${plan.name}: ${placed.asked} calls during the storm, ${summarizeFaults(placed)}`);
    const { failed } = storm;
    return { backMs, failed, calls: { asked: placed?.asked ?? 0, failed: placed?.faults.length ?? 0 } };
  } finally {
    await crowd.close();
  }
}

export const summarizeFaults = ({ faults }: Results): string =>
  [`${faults.length} failed`, ...new Set(faults)].join(', ');

function reportStorm(plan: StormPlan, storm: Storm, downMs: number): number {
  const refused = [...storm.refusals].map(([status, count]) => `${count} × ${status}`).join(', ') || 'none';
  const times = [0.5, backShare, 1]
    .map((share) => (percentile(storm.tookMs, share) / 1000).toFixed(1))
    .join('/');
  console.log(
    `${plan.name}: ${storm.phones} ${plan.transport} phones after ${(downMs / 1000).toFixed(1)} s without an edge, ` +
      `${plan.arrivals} arrivals/s, p50/p95/last ${times} s, ${storm.failed} failed, refused ${refused}, ` +
      `${storm.retransmissions} retransmissions, ${storm.restarted} restarted`,
  );
  return percentile(storm.tookMs, backShare);
}
