import { setTimeout as sleep } from 'node:timers/promises';
import { type ManyNodesDeployment, startManyNodes } from '../../harness/deployments/many-nodes.ts';
import { type Receiver, startReceiver } from '../../harness/webhooks/receiver.ts';
import { auditMoney } from '../chaos/idle.ts';
import { type CallRecord, readRecords } from '../chaos/records.ts';
import { type DialledCall, startDialling } from './dial-calls.ts';
import { engineRestarts } from './engine-restarts.ts';
import { makeLines, webhookTypes } from './make-lines.ts';
import { type PlacedCall, startCalling } from './place-calls.ts';
import type { Program } from './program.ts';
import { faultsOfCalls, reconcileEvents, ungracefulStops, untilIdle } from './rolling-faults.ts';

export interface RollingOptions {
  /** How long calls are placed. Every process is restarted once in that time, or as fast as possible. */
  seconds: number;
  /** Calls started per second. */
  rate: number;
  /** Also restarts edges and media nodes. */
  withEngines?: boolean;
  keepsLogs?: boolean;
}

export interface RollingReport {
  options: RollingOptions;
  placed: PlacedCall[];
  /** Calls dialled on softphones. */
  dialled: DialledCall[];
  records: CallRecord[];
  restarts: { name: string; endedMs: number; readyMs: number }[];
  /** Number of received webhooks, and of repeated ones. */
  webhooks: number;
  repeated: number;
  quietMs: number;
  faults: string[];
}

const dialledPerSecond = 1;
/** Pause after each restart. */
const settleMs = 500;

/** Restarts every process one after the other while calls are placed, and checks whether any call was affected. */
export async function runRolling(
  options: RollingOptions,
  onStep: (what: string) => void = () => undefined,
): Promise<RollingReport> {
  onStep('starting two of everything');
  const deployment = await startManyNodes();
  const receiver = await startReceiver();
  let keepsLogs = true;
  try {
    const report = await runIn(deployment, receiver, options, onStep);
    keepsLogs = options.keepsLogs === true || report.faults.length > 0;
    return report;
  } finally {
    if (keepsLogs) onStep(`the logs are in ${deployment.dir}`);
    await receiver.stop();
    await deployment.stop(keepsLogs);
  }
}

async function runIn(
  deployment: ManyNodesDeployment,
  receiver: Receiver,
  options: RollingOptions,
  onStep: (what: string) => void,
): Promise<RollingReport> {
  const { created, lines } = await makeLines(deployment, receiver.url);
  onStep(`${lines.length} softphones are registered; calling`);
  const calling = startCalling(lines, options.rate);
  const dialling = startDialling(lines, dialledPerSecond);
  const engines = options.withEngines === true ? engineRestarts(deployment) : [];
  const restarts = await restartAll([...deployment.programs, ...engines], options.seconds * 1000, onStep);
  const [placed, dialled] = await Promise.all([calling.stop(), dialling.stop()]);
  onStep('all processes were restarted; waiting until no call is left');
  const quiet = await untilIdle(deployment);
  const records = await readRecords(deployment);
  return {
    options,
    placed,
    dialled,
    records,
    restarts,
    webhooks: receiver.received.length,
    repeated:
      receiver.received.length - new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size,
    quietMs: quiet.tookMs,
    faults: [
      ...quiet.faults,
      ...[...placed, ...dialled].flatMap(({ fault }) => fault ?? []),
      ...faultsOfCalls(placed, records, receiver, webhookTypes),
      ...ungracefulStops(deployment),
      ...(await auditMoney(deployment, records)),
      ...(await reconcileEvents(created)),
    ],
  };
}

/** Restarts one after the other, spread over the period. */
async function restartAll(
  programs: Pick<Program, 'name' | 'restart'>[],
  lengthMs: number,
  onStep: (what: string) => void,
): Promise<RollingReport['restarts']> {
  const shareMs = lengthMs / programs.length;
  const restarts: RollingReport['restarts'] = [];
  for (const program of programs) {
    const { endedMs, readyMs } = await program.restart();
    onStep(`${program.name} ended after ${endedMs} ms and was ready after ${readyMs} ms`);
    restarts.push({ name: program.name, endedMs, readyMs });
    await sleep(Math.max(shareMs - readyMs, settleMs));
  }
  return restarts;
}
