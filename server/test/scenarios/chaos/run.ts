import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosDeployment, startChaosDeployment } from '../../harness/deployments/chaos.ts';
import { checkRecords } from './check-records.ts';
import { auditMoney, findZombies, waitUntilIdle } from './idle.ts';
import { type Kill, killAsPlanned, planKills } from './kills.ts';
import { makeLines } from './lines.ts';
import { type PlacedCall, placeCalls } from './place-calls.ts';
import { createRandom } from './random.ts';
import { type CallRecord, readRecords } from './records.ts';

export interface ChaosOptions {
  calls: number;
  kills: number;
  seed: number;
  /** Calls started per second. */
  rate?: number;
  /** Keeps the logs even if there are no faults. */
  keepsLogs?: boolean;
}

export interface ChaosReport {
  options: Required<ChaosOptions>;
  placed: PlacedCall[];
  records: CallRecord[];
  kills: Kill[];
  /** How often programs ended without being killed. */
  crashes: number;
  differencesMs: number[];
  struck: number;
  quietMs: number;
  faults: string[];
}

const accounts = 6;
const linesEach = 6;
const defaultRate = 4;
/** Calls that are placed after the last kill, as a share of the others: on a slow machine most of those are cut off. */
const calmShare = 0.2;
/** Time limit until the parties of a killed node have detected the loss; they need 8 s. */
const zombieMs = 60_000;

/** Places calls while processes are killed at random, then checks whether anything was lost. */
export async function runChaos(
  options: ChaosOptions,
  onStep: (what: string) => void = () => undefined,
): Promise<ChaosReport> {
  const whole = { rate: defaultRate, keepsLogs: false, ...options };
  onStep('starting stores, programs and engines');
  const deployment = await startChaosDeployment();
  let keepsLogs = true;
  try {
    const report = await runIn(deployment, whole, onStep);
    keepsLogs = whole.keepsLogs || report.faults.length > 0;
    return report;
  } finally {
    if (keepsLogs) onStep(`the logs are in ${deployment.dir}`);
    await deployment.stop(keepsLogs);
  }
}

async function runIn(
  deployment: ChaosDeployment,
  options: Required<ChaosOptions>,
  onStep: (what: string) => void,
): Promise<ChaosReport> {
  const random = createRandom(options.seed);
  const lines = await makeLines(deployment, random, accounts, linesEach);
  onStep(`${lines.length} softphones are registered; placing ${options.calls} calls`);
  const lengthMs = (options.calls / options.rate) * 1000;
  const plan = planKills(random, options.kills, lengthMs);
  const [disturbed, kills] = await Promise.all([
    placeCalls(deployment, random, lines, { count: options.calls, lengthMs }),
    killAsPlanned(deployment, plan),
  ]);
  onStep('placing more calls, without kills');
  const count = Math.ceil(options.calls * calmShare);
  const after = { count, lengthMs: lengthMs * calmShare, first: options.calls };
  const calm = await placeCalls(deployment, random, lines, after);
  const placed = [...disturbed, ...calm];
  onStep('all calls are placed; waiting until none is left');
  const quiet = await waitUntilIdle(deployment);
  const faults = [...quiet.faults, ...(await zombiesAfterAll(deployment, kills))];
  const records = await readRecords(deployment);
  const accepted = new Set(placed.map(({ id }) => id).filter((id) => id !== undefined));
  const check = checkRecords(records, accepted, kills);
  return {
    options,
    placed,
    records,
    kills,
    crashes: deployment.programs.reduce((sum, { crashes }) => sum + crashes.length, 0),
    differencesMs: check.differencesMs,
    struck: check.struck,
    quietMs: quiet.tookMs,
    faults: [...faults, ...crashed(deployment), ...check.faults, ...(await auditMoney(deployment, records))],
  };
}

const crashed = ({ programs }: ChaosDeployment): string[] =>
  programs.flatMap(({ name, crashes }) =>
    crashes.map((crash) => `${name} crashed without being killed: ${crash}`),
  );

async function zombiesAfterAll(deployment: ChaosDeployment, kills: Kill[]): Promise<string[]> {
  const deadline = Date.now() + zombieMs;
  for (;;) {
    const zombies = findZombies(deployment, kills);
    if (zombies.length === 0 || Date.now() > deadline) return zombies;
    await sleep(500);
  }
}
