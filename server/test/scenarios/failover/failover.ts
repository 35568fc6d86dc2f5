import { setTimeout as sleep } from 'node:timers/promises';
import { runDoctor } from '../../../src/main/cli/doctor/run-doctor.ts';
import { type ManyNodesDeployment, startManyNodes } from '../../harness/deployments/many-nodes.ts';
import type { DatabaseCluster } from '../../harness/hosts/database-cluster.ts';
import { until } from '../../harness/until.ts';
import { startReceiver } from '../../harness/webhooks/receiver.ts';
import { auditMoney } from '../chaos/idle.ts';
import { readRecords } from '../chaos/records.ts';
import { startDialling } from '../many-nodes/dial-calls.ts';
import { makeLines } from '../many-nodes/make-lines.ts';
import { startCalling } from '../many-nodes/place-calls.ts';
import { reconcileEvents, untilIdle } from '../many-nodes/rolling-faults.ts';
import { checkCalls } from './check-calls.ts';
import { startClusterStores } from './cluster-stores.ts';
import { type HostFault, type HostFaultName, hostFaults } from './host-faults.ts';
import { isTalkingAt, judgeGap, longestGap, refusals, startAsking } from './measures.ts';

export interface FailoverReport {
  fault: HostFaultName;
  /** The longest time without a successful response, an answered call and a delivered webhook. */
  gapMs: { api: number; calls: number; webhooks: number };
  accepted: number;
  /** Calls and requests that failed, with the seconds since the fault. */
  refused: string[];
  /** Accepted calls that were not answered. */
  unanswered: number;
  /** Calls that were talking when the fault happened. */
  running: number;
  /** What `disca doctor` says about the replication during the fault. */
  doctor: string;
  /** What must never happen: lost, doubled or wrongly charged calls, lost webhooks, dropped calls. */
  faults: string[];
}

const rate = 2;
const dialledPerSecond = 0.5;
const requestsPerSecond = 5;
/** Load before the fault and after the repair. */
const calmMs = 8_000;

/** A deployment with the database on three hosts, used for several faults one after the other. */
export interface FailoverDeployment {
  deployment: ManyNodesDeployment;
  cluster: DatabaseCluster;
  stop(keepsLogs: boolean): Promise<void>;
}

/** With disks, the disk of a database host can be frozen. */
export async function startFailoverDeployment(
  options: { withDisks?: boolean } = {},
): Promise<FailoverDeployment> {
  let cluster: DatabaseCluster | undefined;
  const deployment = await startManyNodes({
    async startStores(dir) {
      const stores = await startClusterStores(dir, options);
      cluster = stores.cluster;
      return stores;
    },
  });
  if (!cluster) throw new Error('The cluster was not started.');
  return { deployment, cluster, stop: (keepsLogs) => deployment.stop(keepsLogs) };
}

/** Places calls while a database host fails, and reports how long nothing worked and whether anything was lost. */
export async function runFailover(
  { deployment, cluster }: FailoverDeployment,
  fault: HostFaultName,
  onStep: (what: string) => void = () => undefined,
): Promise<FailoverReport> {
  await cluster.untilWhole();
  const receiver = await startReceiver();
  const { created, lines } = await makeLines(deployment, receiver.url);
  onStep(`${lines.length} softphones are registered; calling`);
  const startedAtMs = Date.now();
  const calling = startCalling(lines, rate);
  const dialling = startDialling(lines, dialledPerSecond);
  const asking = startAsking(lines, requestsPerSecond);
  await sleep(calmMs);
  onStep(fault);
  const atMs = Date.now();
  const { cause, part, doctor: expected, lastsMs = 0, longestGapMs }: HostFault = hostFaults[fault];
  const repair = await cause(cluster);
  const doctor = await until(
    async () => expected.exec(await askDoctor(deployment, cluster, part))?.input,
    `disca doctor reports ${expected}`,
  );
  await sleep(Math.max(atMs + lastsMs - Date.now(), 0));
  onStep('repairing');
  await repair();
  await cluster.untilWhole();
  onStep(`the cluster is whole again after ${Math.round((Date.now() - atMs) / 1_000)} s`);
  await sleep(calmMs);
  const [placed, dialled, asked] = await Promise.all([calling.stop(), dialling.stop(), asking.stop()]);
  const endedAtMs = Date.now();
  const quiet = await untilIdle(deployment);
  const records = await readRecords(deployment);
  const own = new Set(created.map(({ id }) => id));
  const ownRecords = records.filter(({ accountId }) => own.has(accountId));
  const successes = asked.filter((each) => each.fault === undefined).map((each) => each.atMs);
  await receiver.stop();
  const gap = (times: number[]): number => longestGap([startedAtMs, ...times, endedAtMs]);
  const gapMs = {
    api: gap(successes),
    calls: gap(ownRecords.flatMap(({ answeredAtMs }) => answeredAtMs ?? [])),
    webhooks: gap(receiver.received.map((each) => each.atMs)),
  };
  return {
    fault,
    gapMs,
    accepted: placed.filter(({ id }) => id !== undefined).length,
    refused: refusals(atMs, [
      ...placed,
      ...asked,
      ...dialled.map((call) => ({ ...call, askedAtMs: call.begunAtMs })),
    ]),
    doctor,
    unanswered: ownRecords.filter(({ answeredAtMs }) => answeredAtMs === null).length,
    running: ownRecords.filter((record) => isTalkingAt(record, atMs)).length,
    faults: [
      ...judgeGap(gapMs.calls, longestGapMs),
      ...quiet.faults,
      ...checkCalls(placed, ownRecords, receiver),
      ...(await auditMoney(deployment, records)),
      ...(await reconcileEvents(created)),
    ],
  };
}

/** Returns what `disca doctor` says about the database. */
async function askDoctor(
  { ownerUrl }: ManyNodesDeployment,
  { hosts }: DatabaseCluster,
  part = 'replication',
): Promise<string> {
  const addresses = hosts.map(({ address }) => address).join(',');
  const environment = { DATABASE_OWNER_URL: ownerUrl, DATABASE_MACHINES: addresses };
  const [finding] = await runDoctor({ environment, parts: [part] });
  return `${finding?.state}: ${finding?.says}`;
}
