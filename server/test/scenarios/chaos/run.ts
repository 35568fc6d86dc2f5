import { setTimeout as sleep } from 'node:timers/promises';
import { startWorld, type World } from '../../harness/deployments/chaos.ts';
import { judge } from './judge.ts';
import { type Kill, killAsPlanned, planKills } from './kills.ts';
import { makeLines } from './lines.ts';
import { type PlacedCall, placeCalls } from './place-calls.ts';
import { auditMoney, findZombies, waitForQuiet } from './quiet.ts';
import { createRandom } from './random.ts';
import { type CallRecord, readRecords } from './records.ts';

export interface ChaosOptions {
  calls: number;
  kills: number;
  seed: number;
  /** Calls started per second. */
  rate?: number;
  /** Keeps the logs also when there are no faults. */
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
/** Parties of a killed node detect it after this long. */
const zombieMs = 15_000;

/** Places calls while everything is killed at random, then checks whether anything was lost. */
export async function runChaos(
  options: ChaosOptions,
  onStep: (what: string) => void = () => undefined,
): Promise<ChaosReport> {
  const whole = { rate: defaultRate, keepsLogs: false, ...options };
  onStep('starting stores, programs and engines');
  const world = await startWorld();
  let keepsLogs = true;
  try {
    const report = await runIn(world, whole, onStep);
    keepsLogs = whole.keepsLogs || report.faults.length > 0;
    return report;
  } finally {
    if (keepsLogs) onStep(`the logs are in ${world.dir}`);
    await world.stop(keepsLogs);
  }
}

async function runIn(
  world: World,
  options: Required<ChaosOptions>,
  onStep: (what: string) => void,
): Promise<ChaosReport> {
  const random = createRandom(options.seed);
  const lines = await makeLines(world, random, accounts, linesEach);
  onStep(`${lines.length} softphones are registered; placing ${options.calls} calls`);
  const lengthMs = (options.calls / options.rate) * 1000;
  const plan = planKills(random, options.kills, lengthMs);
  const [placed, kills] = await Promise.all([
    placeCalls(world, random, lines, { count: options.calls, lengthMs }),
    killAsPlanned(world, plan),
  ]);
  onStep('all calls are placed; waiting until none is left');
  const quiet = await waitForQuiet(world);
  const faults = [...quiet.faults, ...(await zombiesAfterAll(world, kills))];
  const records = await readRecords(world);
  const accepted = new Set(placed.map(({ id }) => id).filter((id) => id !== undefined));
  const verdict = judge(records, accepted, kills);
  return {
    options,
    placed,
    records,
    kills,
    crashes: world.programs.reduce((sum, { crashes }) => sum + crashes, 0),
    differencesMs: verdict.differencesMs,
    struck: verdict.struck,
    quietMs: quiet.tookMs,
    faults: [...faults, ...crashed(world), ...verdict.faults, ...(await auditMoney(world, records))],
  };
}

const crashed = ({ programs }: World): string[] =>
  programs
    .filter(({ crashes }) => crashes > 0)
    .map(({ name, crashes }) => `${name} crashed ${crashes} times without being killed`);

async function zombiesAfterAll(world: World, kills: Kill[]): Promise<string[]> {
  const deadline = Date.now() + zombieMs;
  for (;;) {
    const zombies = findZombies(world, kills);
    if (zombies.length === 0 || Date.now() > deadline) return zombies;
    await sleep(500);
  }
}
