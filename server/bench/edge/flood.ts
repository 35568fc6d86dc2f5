import type { RunningKamailio } from '../../../tools/dev/services/kamailio.ts';
import type { Address } from '../../test/harness/edge/sip-transport.ts';
import { startFlood } from '../../test/scenarios/edge-endurance/flood.ts';
import { startRegistrations } from '../../test/scenarios/edge-endurance/legitimate-phones.ts';
import { type Caller, runRound } from '../calls/load.ts';
import { printRound } from '../calls/report.ts';
import { percentile } from '../calls-list.ts';
import { cpuSince } from '../measure/cpu-time.ts';
import { summarizeFaults } from './storm.ts';
import type { Corner } from './tables.ts';

export interface FloodPlan {
  edge: Address;
  node: Address;
  caller: Caller;
  corner: Corner;
  engine: RunningKamailio;
  perSecond: number;
  callsPerSecond: number;
  lengthMs: number;
  /** Length of the measurement before the flood. */
  peaceMs: number;
}

const logInPauseMs = 500;

/** Returns the fraction of legitimate calls and logins that succeed during the flood. */
export async function runFlood(plan: FloodPlan): Promise<number> {
  const { caller, corner } = plan;
  printRound({ ...caller, name: 'before the flood' })(
    await runRound(caller, plan.callsPerSecond, plan.peaceMs),
  );
  const spentMs = cpuSince([plan.engine.pid]);
  const flood = await startFlood(plan.edge, plan.node, plan.perSecond);
  const registrations = startRegistrations(corner.phones, logInPauseMs);
  const round = await runRound(caller, plan.callsPerSecond, plan.lengthMs);
  const [registered, sent] = await Promise.all([registrations.stop(), flood.stop()]);
  const cores = spentMs() / 1000 / sent.seconds;
  printRound({ ...caller, name: 'during the flood' })(round);
  const times = [0.5, 0.99].map((share) => percentile(registered.tookMs, share).toFixed(0)).join('/');
  console.log(
    `during the flood: ${registered.asked} logins, ${summarizeFaults(registered)}, p50/p99 ${times} ms; malformed: ` +
      `${sent.datagrams} datagrams and ${sent.streams} connections in ${sent.seconds.toFixed(0)} s, ` +
      `${((sent.datagrams + sent.streams) / sent.seconds).toFixed(0)} per second; Kamailio used ${cores.toFixed(2)} cores`,
  );
  return 1 - (round.failed + registered.faults.length) / (round.calls + registered.asked);
}
