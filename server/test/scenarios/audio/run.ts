import { inDev } from '../../../../tools/dev/paths.ts';
import { type ManyNodesDeployment, startManyNodes } from '../../harness/deployments/many-nodes.ts';
import { createRandom } from '../chaos/random.ts';
import { startDisturbing } from './disturb.ts';
import { hardFaults, timingFaults } from './faults.ts';
import { createFrequencyPool, type FrequencyPool, frequencies } from './frequencies.ts';
import { type Direction, judgeCall } from './judge.ts';
import { keepCall, keepLogs } from './keep.ts';
import { makeSlots, type Slot } from './lines.ts';
import { placeCall, SetupError, type TalkedCall } from './place.ts';
import { type PlannedCall, planCalls } from './plan.ts';
import { checkRecording, type RecordingCheck } from './recording.ts';

export interface AudioOptions {
  calls: number;
  /** Calls at the same time. */
  concurrency: number;
  seed: number;
  /** Drains nodes, restarts edges and kills voice processes meanwhile. */
  isDisturbed?: boolean;
}

export interface CallResult {
  name: string;
  planned: PlannedCall;
  directions: Direction[];
  recording: RecordingCheck | undefined;
  /** Why the call was not measured. */
  error: string | undefined;
  /** The call failed before it was connected, which disturbances may cause. */
  isExcused: boolean;
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
}

/** Places calls of every shape and measures what each party hears. */
export async function runAudio(
  options: AudioOptions,
  onStep: (what: string) => void = () => undefined,
): Promise<AudioReport> {
  onStep('starting two of everything');
  const deployment = await startManyNodes();
  try {
    onStep(`registering ${options.concurrency * 3} softphones`);
    const slots = await makeSlots(deployment, options.concurrency);
    onStep(`placing ${options.calls} calls, ${options.concurrency} at a time`);
    return await measure(deployment, slots, options, onStep);
  } finally {
    await deployment.stop();
  }
}

async function measure(
  deployment: ManyNodesDeployment,
  slots: Slot[],
  options: AudioOptions,
  onStep: (what: string) => void,
): Promise<AudioReport> {
  const random = createRandom(options.seed);
  const pool = createFrequencyPool(random.shuffle(frequencies));
  const waiting = [...planCalls(random, options.calls).entries()];
  const dir = inDev('audio', `seed-${options.seed}-${Date.now()}`);
  const measured: Promise<CallResult>[] = [];
  const work = async (slot: Slot): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, planned] = next;
      const talked = await talk(deployment, slot, planned, pool);
      // Measured while the slot places its next call, because recordings are stored later.
      measured.push(measureCall(deployment, dir, nameOf(index, planned), planned, talked, options));
      if ((index + 1) % 100 === 0) onStep(`${index + 1} calls placed`);
    }
  };
  const disturbing = options.isDisturbed ? startDisturbing(deployment, random, onStep) : undefined;
  await Promise.all(slots.map(work));
  const disturbances = (await disturbing?.stop()) ?? [];
  const results = await Promise.all(measured);
  const faults = results.flatMap(hardFaults);
  const timing = timingFaults(results);
  if (faults.length > 0) keepLogs(dir, deployment);
  return { options, results, faults, timing, disturbances, keptIn: faults.length > 0 ? dir : undefined };
}

const nameOf = (index: number, { shape, transport, isRecorded }: PlannedCall): string =>
  `${index + 1} ${shape} ${transport}${isRecorded ? ' recorded' : ''}`;

async function talk(
  deployment: ManyNodesDeployment,
  slot: Slot,
  planned: PlannedCall,
  pool: FrequencyPool,
): Promise<TalkedCall | Error> {
  const tones = { caller: pool.take(), called: pool.take() };
  try {
    return await placeCall({ deployment, slot, planned, tones });
  } catch (error) {
    return error as Error;
  } finally {
    pool.release(tones.caller);
    pool.release(tones.called);
  }
}

async function measureCall(
  deployment: ManyNodesDeployment,
  dir: string,
  name: string,
  planned: PlannedCall,
  talked: TalkedCall | Error,
  { isDisturbed = false }: AudioOptions,
): Promise<CallResult> {
  const empty = { name, planned, directions: [], recording: undefined, isExcused: false };
  if (talked instanceof Error)
    return { ...empty, error: talked.message, isExcused: isDisturbed && talked instanceof SetupError };
  const result = await judge(deployment, planned, talked).then(
    (judged) => ({ ...empty, ...judged, error: undefined }),
    (error: Error) => ({ ...empty, error: error.message }),
  );
  if (hardFaults(result).length > 0) keepCall(dir, result, talked);
  return result;
}

async function judge(deployment: ManyNodesDeployment, planned: PlannedCall, call: TalkedCall) {
  const directions = await judgeCall(planned, call);
  const recording = planned.isRecorded ? await checkRecording(deployment, call, directions) : undefined;
  return { directions, recording };
}
