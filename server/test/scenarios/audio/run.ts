import { inDev } from '../../../../tools/dev/paths.ts';
import { createRandom } from '../chaos/random.ts';
import { startDisturbing } from './disturb.ts';
import { hardFaults, timingFaults } from './faults.ts';
import { createFrequencyPool, type FrequencyPool, frequencies } from './frequencies.ts';
import { freeResources, removeOldRecordings } from './housekeeping.ts';
import { keepLogs } from './keep.ts';
import { canPlace, makeSlots, type Slot } from './lines.ts';
import { type CallResult, measureCall } from './measure-call.ts';
import { placeCall, type TalkedCall } from './place.ts';
import { kindsOf, needsBrowser, type PlannedCall, planCalls } from './plan.ts';
import { openStage, type Stage } from './stage.ts';

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
  /** Faults that a busy machine can cause as well. */
  timing: string[];
  /** Where the audio of faulty calls is. */
  keptIn: string | undefined;
  disturbances: string[];
  /** Time from the first call to the end of the last one. */
  seconds: number;
}

type OnStep = (what: string) => void;

const progressMs = 15_000;

/** Places calls of every shape and measures what each party hears. */
export async function runAudio(
  options: AudioOptions,
  onStep: OnStep = () => undefined,
): Promise<AudioReport> {
  onStep('starting two of everything');
  const stage = await openStage();
  try {
    onStep(`registering the phones of ${options.concurrency} slots`);
    const slots = await makeSlots(stage, options.concurrency);
    onStep(`placing ${options.calls} calls, ${options.concurrency} at a time`);
    return await measureCalls(stage, slots, options, onStep);
  } finally {
    await stage.close();
  }
}

/** Places the calls of a plan in the slots of a running deployment, and measures them. */
export async function measureCalls(
  stage: Stage,
  slots: Slot[],
  options: AudioOptions,
  onStep: OnStep = () => undefined,
): Promise<AudioReport> {
  const random = createRandom(options.seed);
  const pool = createFrequencyPool(random.shuffle(frequencies));
  const waiting = [...planCalls(random, options.calls, options.isSample).entries()];
  const dir = inDev('audio', `seed-${options.seed}-${Date.now()}`);
  const beganAtMs = Date.now();
  const measured: Promise<CallResult>[] = [];
  const work = async (slot: Slot): Promise<void> => {
    for (let next = takeFor(slot, waiting); next !== undefined; next = takeFor(slot, waiting)) {
      const [index, planned] = next;
      const beganAtMs = Date.now();
      const talked = await talk(stage, slot, planned, pool);
      // Measured while the slot places its next call, because recordings are stored later.
      measured.push(
        measureCall(
          stage,
          dir,
          { name: nameOf(index, planned), planned, beganAtMs },
          talked,
          options.isDisturbed,
        ),
      );
    }
  };
  const disturbing = options.isDisturbed ? startDisturbing(stage.deployment, random, onStep) : undefined;
  const progress = setInterval(() => {
    removeOldRecordings(stage.deployment);
    onStep(`${measured.length} of ${options.calls} calls placed, ${freeResources(stage.deployment)}`);
  }, progressMs);
  await Promise.all(slots.map(work)).finally(() => clearInterval(progress));
  const seconds = (Date.now() - beganAtMs) / 1_000;
  const disturbances = (await disturbing?.stop()) ?? [];
  const results = await Promise.all(measured);
  const faults = results.flatMap(hardFaults);
  const timing = timingFaults(results);
  if (faults.length > 0) keepLogs(dir, stage);
  const keptIn = faults.length > 0 ? dir : undefined;
  return { options, results, faults, timing, disturbances, keptIn, seconds };
}

/** Takes the next call that the slot can place. A slot with browsers places calls with browsers as long as there are. */
function takeFor(slot: Slot, waiting: [number, PlannedCall][]): [number, PlannedCall] | undefined {
  const placeable = ([, planned]: [number, PlannedCall]): boolean => canPlace(slot, planned);
  const special = waiting.findIndex((each) => placeable(each) && needsBrowser(each[1]));
  const at = special < 0 ? waiting.findIndex(placeable) : special;
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}

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
  const tones = { caller: pool.take(), called: pool.take() };
  try {
    return await placeCall({ stage, slot, planned, tones });
  } catch (error) {
    return error as Error;
  } finally {
    pool.release(tones.caller);
    pool.release(tones.called);
  }
}
