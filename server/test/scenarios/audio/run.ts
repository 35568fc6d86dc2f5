import { inDev } from '../../../../tools/dev/paths.ts';
import { createRandom } from '../chaos/random.ts';
import { startDisturbing } from './disturb.ts';
import { hardFaults, isStarved, leastPreventingMs } from './faults.ts';
import { createFrequencyPool, type FrequencyPool, frequencies } from './frequencies.ts';
import { freeResources, removeOldRecordings } from './housekeeping.ts';
import { keepLogs } from './keep.ts';
import { canPlace, makeSlots, type Slot } from './lines.ts';
import { type CallResult, measureCall } from './measure-call.ts';
import { placeCall, SetupError, type TalkedCall } from './place.ts';
import { kindsOf, needsBrowser, type PlannedCall, planCalls } from './plan.ts';
import { openStage, type Stage } from './stage.ts';
import { watchStalls } from './stalls.ts';

export interface AudioOptions {
  calls: number;
  /** Calls at the same time. */
  concurrency: number;
  seed: number;
  /** Plans half of the combinations, with every shape, every kind of phone and recordings. */
  isSample?: boolean;
  /** Drains nodes, restarts edges and kills voice processes meanwhile. */
  isDisturbed?: boolean;
}

export interface AudioReport {
  options: AudioOptions;
  results: CallResult[];
  faults: string[];
  /** Where the audio of faulty calls is. */
  keptIn: string | undefined;
  disturbances: string[];
  /** Time from the first call to the end of the last one. */
  seconds: number;
}

export interface AudioObserver {
  /** Names of planned calls that need not be placed. */
  done?: ReadonlySet<string> | undefined;
  onStep?(what: string): void;
  onResult?(result: CallResult): void;
}

const progressMs = 15_000;

/** Places calls of every shape and measures what each party hears. */
export async function runAudio(options: AudioOptions, observer: AudioObserver = {}): Promise<AudioReport> {
  const { onStep = () => undefined } = observer;
  onStep('starting two of everything');
  const stage = await openStage();
  try {
    onStep(`registering the phones of ${options.concurrency} slots`);
    const slots = await makeSlots(stage, options.concurrency);
    onStep(`placing ${options.calls} calls, ${options.concurrency} at a time`);
    return await measureCalls(stage, slots, options, observer);
  } finally {
    await stage.close();
  }
}

/** Places the calls of a plan in the slots of a running deployment, and measures them. */
export async function measureCalls(
  stage: Stage,
  slots: Slot[],
  options: AudioOptions,
  { done, onStep = () => undefined, onResult = () => undefined }: AudioObserver = {},
): Promise<AudioReport> {
  const random = createRandom(options.seed);
  const pool = createFrequencyPool(random.shuffle(frequencies));
  const planned = [...planCalls(random, options.calls, options.isSample).entries()];
  const waiting = planned.filter((each) => !done?.has(nameOf(...each)));
  const total = waiting.length;
  const dir = inDev('audio', `seed-${options.seed}-${Date.now()}`);
  const beganAtMs = Date.now();
  const measured: Promise<CallResult>[] = [];
  const placedAgain: string[] = [];
  const stalls = await watchStalls();
  const work = async (slot: Slot): Promise<void> => {
    for (let next = takeFor(slot, waiting); next !== undefined; next = takeFor(slot, waiting)) {
      const [index, planned] = next;
      const beganAtMs = Date.now();
      const talked = await talk(stage, slot, planned, pool);
      const endedAtMs = Date.now();
      const stalled = stalls.longestBetween(beganAtMs, endedAtMs);
      const name = nameOf(index, planned);
      if (talked instanceof SetupError && !options.isDisturbed && placedAgain.length < maxPlacedAgain) {
        const preventingMs = await stalls.longestBetween(beganAtMs - recoveryMs, endedAtMs);
        if (preventingMs >= leastPreventingMs) {
          onStep(
            `${name} is placed again, because the machine stalled for ${preventingMs} ms: ${talked.message}`,
          );
          placedAgain.push(name);
          waiting.push(next);
          continue;
        }
      }
      // Measured while the slot places its next call, because recordings are stored later.
      const placed = { name, planned, beganAtMs };
      const measuring = stalled.then((stalledMs) =>
        measureCall(stage, dir, { ...placed, stalledMs }, talked, options.isDisturbed),
      );
      if ((await stalled) >= leastPreventingMs && placedAgain.length < maxPlacedAgain) {
        if (isStarved(await measuring)) {
          onStep(`${name} is placed again, because a party ran for less than half of the call`);
          placedAgain.push(name);
          waiting.push(next);
          continue;
        }
      }
      measured.push(measuring);
      // A failure is reported by the await of all measurements.
      measuring.then(onResult, () => undefined);
    }
  };
  const disturbing = options.isDisturbed ? startDisturbing(stage.deployment, random, onStep) : undefined;
  const progress = setInterval(() => {
    removeOldRecordings(stage.deployment);
    onStep(`${measured.length} of ${total} calls placed, ${freeResources(stage.deployment)}`);
  }, progressMs);
  await Promise.all(slots.map(work)).finally(() => clearInterval(progress));
  const seconds = (Date.now() - beganAtMs) / 1_000;
  const disturbances = (await disturbing?.stop()) ?? [];
  const results = await Promise.all(measured);
  await stalls.stop();
  const faults = results.flatMap(hardFaults);
  if (faults.length > 0) keepLogs(dir, stage);
  const keptIn = faults.length > 0 ? dir : undefined;
  return { options, results, faults, disturbances, keptIn, seconds };
}

/** Takes the next call that the slot can place. A slot with browsers places calls with browsers as long as there are. */
function takeFor(slot: Slot, waiting: [number, PlannedCall][]): [number, PlannedCall] | undefined {
  const placeable = ([, planned]: [number, PlannedCall]): boolean => canPlace(slot, planned);
  const special = waiting.findIndex((each) => placeable(each) && needsBrowser(each[1]));
  const at = special < 0 ? waiting.findIndex(placeable) : special;
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}

/**
 * Disca refuses calls that it cannot decide in time, and those of a node that it has not heard from for some seconds, so
 * a machine that stands still for a second may prevent a call, also one that is placed shortly after.
 */
const recoveryMs = 15_000;
const maxPlacedAgain = 20;

function nameOf(index: number, planned: PlannedCall): string {
  const parts = [planned.shape, kindsOf(planned).join('-'), ...(planned.isRecorded ? ['recorded'] : [])];
  return `${index + 1} ${parts.join(' ')}`;
}

async function talk(
  stage: Stage,
  slot: Slot,
  planned: PlannedCall,
  pool: FrequencyPool,
): Promise<TalkedCall | Error> {
  const beganAtMs = Date.now();
  const caller = pool.take();
  const tones = { caller, called: pool.take(caller) };
  const own = Object.values(tones);
  const otherTones = () => pool.inUseSince(beganAtMs).filter((hertz) => !own.includes(hertz));
  try {
    return await placeCall({ stage, slot, planned, tones, otherTones });
  } catch (error) {
    return error as Error;
  } finally {
    pool.release(tones.caller);
    pool.release(tones.called);
  }
}
