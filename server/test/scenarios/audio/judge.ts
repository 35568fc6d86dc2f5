import { firstWord } from '../../../../simulator/voice/tones.ts';
import { readClosedWav } from '../../harness/voice/tones.ts';
import { analyse, type Heard } from './analyse.ts';
import type { Side, TalkedCall } from './place.ts';
import type { PlannedCall } from './plan.ts';

/** What one party heard of the other. */
export interface Direction {
  to: 'caller' | 'called';
  heard: Heard;
  isSilent: boolean;
  /** From the called party's answer to the first audio; undefined if silent. */
  firstAudioMs: number | undefined;
  largestGapMs: number;
  /** Share of the audio that is missing between the first and the last sound. */
  missingShare: number;
  /** Missing part of the first word. Not applicable to a clicking caller, who speaks before the called party answers. */
  clippedMs: number | undefined;
  /** Audio after the first party hung up. */
  tailMs: number;
  foreignHertz: number[];
  isDistorted: boolean;
  /** Difference between the length of the file and that of the leg: the uncertainty of the times. */
  uncertainMs: number;
}

/** A direction counts as silent if less of the talk time than this was heard. */
const leastShare = 0.5;
const leastPurity = 0.9;

export async function judgeCall(planned: PlannedCall, call: TalkedCall): Promise<Direction[]> {
  return await Promise.all([
    judgeDirection('caller', call.caller, call.called, call, true),
    judgeDirection('called', call.called, call.caller, call, planned.shape !== 'click-to-call'),
  ]);
}

async function judgeDirection(
  to: Direction['to'],
  listener: Side,
  speaker: Side,
  call: TalkedCall,
  hearsFirstWord: boolean,
): Promise<Direction> {
  const sound = await readClosedWav(listener.heard);
  const legMs = listener.endedAtMs - listener.answeredAtMs;
  const lengthMs = Math.round((sound.samples.length / sound.rate) * 1000);
  // The file starts with the first frame, at the answer or a little later; the later estimate never flatters.
  const startMs = Math.max(listener.answeredAtMs, listener.endedAtMs - lengthMs);
  const answerMs = Math.max(0, call.called.answeredAtMs - startMs);
  const heard = analyse(sound, { hertz: speaker.hertz, fromMs: answerMs });
  const hangUpMs = Math.min(call.caller.endedAtMs, call.called.endedAtMs) - startMs;
  return {
    to,
    heard,
    isSilent: heard.voiceMs < leastShare * (hangUpMs - answerMs),
    firstAudioMs:
      heard.firstMs === undefined
        ? undefined
        : Math.max(0, startMs + heard.firstMs - call.called.answeredAtMs),
    largestGapMs: Math.max(0, ...heard.gaps.map(({ ms }) => ms)),
    missingShare: missingShareOf(heard),
    clippedMs: hearsFirstWord ? Math.max(0, firstWord.ms - heard.firstWordMs) : undefined,
    tailMs: heard.lastMs === undefined ? 0 : Math.max(0, heard.lastMs - hangUpMs),
    foreignHertz: [...new Set(heard.foreign.map(({ hertz }) => hertz))],
    isDistorted: heard.voiceMs > 0 && heard.purity < leastPurity,
    uncertainMs: Math.abs(legMs - lengthMs),
  };
}

const missingShareOf = ({ silentMs, firstMs = 0, lastMs = 0 }: Heard): number =>
  silentMs === 0 ? 0 : silentMs / (lastMs - firstMs);
