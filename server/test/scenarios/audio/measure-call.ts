import { join } from 'node:path';
import { hardFaults } from './faults.ts';
import { type Direction, judgeCall } from './judge.ts';
import { keepCall } from './keep.ts';
import { SetupError, type TalkedCall } from './place.ts';
import type { PlannedCall } from './plan.ts';
import { checkRecording, type RecordingCheck } from './recording.ts';
import type { Stage } from './stage.ts';

export interface CallResult {
  name: string;
  planned: PlannedCall;
  directions: Direction[];
  recording: RecordingCheck | undefined;
  /** Why the call was not measured. */
  error: string | undefined;
  /** The call failed before it was connected, which disturbances may cause. */
  isExcused: boolean;
  /** Longest time for which the machine did not run a waiting thread during the call. */
  stalledMs: number;
}

interface PlacedCall extends Pick<CallResult, 'name' | 'planned' | 'stalledMs'> {
  beganAtMs: number;
}

/** Measures a call. The audio and the packets of a faulty call are kept in the folder; the audio of others is deleted. */
export async function measureCall(
  stage: Stage,
  dir: string,
  { beganAtMs, ...placed }: PlacedCall,
  talked: TalkedCall | Error,
  isDisturbed = false,
): Promise<CallResult> {
  const empty = { ...placed, directions: [], recording: undefined, isExcused: false };
  const { recorded, ...result } =
    talked instanceof Error
      ? {
          ...empty,
          recorded: undefined,
          error: talked.message,
          isExcused: isDisturbed && talked instanceof SetupError,
        }
      : { ...empty, ...(await judge(stage, placed.planned, talked)) };
  if (hardFaults(result).length > 0) {
    stage.capture?.keep(beganAtMs, join(dir, 'packets'));
    if (!(talked instanceof Error)) keepCall(dir, result, talked, recorded);
  }
  if (!(talked instanceof Error)) talked.forget();
  return result;
}

type Judged = Pick<CallResult, 'directions' | 'recording' | 'error'> & { recorded?: Buffer };

async function judge({ deployment }: Stage, planned: PlannedCall, talked: TalkedCall): Promise<Judged> {
  let directions: Direction[] = [];
  try {
    directions = await judgeCall(planned, talked);
    if (!planned.isRecorded) return { directions, recording: undefined, error: undefined };
    const { check, file } = await checkRecording(deployment, talked, directions);
    return { directions, recording: check, error: undefined, recorded: file };
  } catch (error) {
    return { directions, recording: undefined, error: (error as Error).message };
  }
}
