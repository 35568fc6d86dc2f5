import { firstWord } from '../../../../simulator/voice/tones.ts';
import { readClosedWav } from '../../harness/voice/tones.ts';
import { analyse, type Heard } from './analyse.ts';
import type { TalkedCall } from './place.ts';
import { isBrowser, type Kind, needsBrowser, type PlannedCall } from './plan.ts';
import { leastHeardMs } from './until-heard.ts';

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
  /** Kind of the phone that heard it; undefined if it was the carrier. */
  kind: Kind | undefined;
  /** Difference between the length of the file and that of the leg: the uncertainty of the times. */
  uncertainMs: number;
}

/** A direction also counts as silent if nothing is heard in this share of the talk time, at its end. */
const mostSilent = 0.5;
const leastPurity = 0.9;

export async function judgeCall(planned: PlannedCall, call: TalkedCall): Promise<Direction[]> {
  const listeners = listenersOf(planned);
  const isOpus = needsBrowser(planned);
  return await Promise.all([
    judgeDirection('caller', listeners.caller, call, isOpus, true),
    judgeDirection('called', listeners.called, call, isOpus, planned.shape !== 'click-to-call'),
  ]);
}

/** Kinds of the phones of both parties; the carrier has none. */
const listenersOf = ({ shape, kind, other }: PlannedCall): Record<Direction['to'], Kind | undefined> => ({
  caller: shape === 'inbound' ? undefined : kind,
  called: { internal: other, inbound: kind, dialled: undefined, 'click-to-call': undefined }[shape],
});

/** Duration in which browsers were seen to distort a new stream. */
const browserSettlingMs = 500;

async function judgeDirection(
  to: Direction['to'],
  kind: Kind | undefined,
  call: TalkedCall,
  isOpus: boolean,
  hearsFirstWord: boolean,
): Promise<Direction> {
  const { [to]: listener, [to === 'caller' ? 'called' : 'caller']: speaker } = call;
  const sound = await readClosedWav(listener.heard.file);
  const lengthMs = Math.round((sound.samples.length / sound.rate) * 1000);
  // The file of a softphone starts with the first frame, at the answer or a little later; the later estimate never
  // flatters.
  const { startMs = Math.max(listener.answeredAtMs, listener.endedAtMs - lengthMs) } = listener.heard;
  const legMs = listener.endedAtMs - (listener.heard.startMs ?? listener.answeredAtMs);
  const answerMs = Math.max(0, call.called.answeredAtMs - startMs);
  const heard = analyse(sound, {
    hertz: speaker.hertz,
    others: call.otherHertz,
    fromMs: answerMs,
    isOpus,
    settlingMs: kind !== undefined && isBrowser(kind) ? browserSettlingMs : 0,
  });
  const hangUpMs = Math.min(call.caller.endedAtMs, call.called.endedAtMs) - startMs;
  return {
    to,
    kind,
    heard,
    isSilent: isSilent(heard, answerMs, hangUpMs),
    firstAudioMs:
      heard.firstMs === undefined
        ? undefined
        : Math.max(0, startMs + heard.firstMs - call.called.answeredAtMs),
    largestGapMs: Math.max(0, ...heard.gaps.map(({ ms }) => ms)),
    missingShare: missingShareOf(heard),
    clippedMs: hearsFirstWord ? Math.max(0, firstWord.ms - heard.firstWordMs) : undefined,
    tailMs: heard.lastMs === undefined ? 0 : Math.max(0, heard.lastMs - hangUpMs),
    foreignHertz: [...new Set(heard.foreign.map(({ hertz }) => hertz))],
    isDistorted: heard.voiceMs >= leastHeardMs && heard.purity < leastPurity,
    uncertainMs: Math.abs(legMs - lengthMs),
  };
}

/**
 * Returns whether a party heard too little, or nothing in the last part of the talk. The times are those of its file,
 * which is shorter than the leg if the machine did not run the party: a page whose audio thread runs for a third of the
 * time has a third of the audio. Where audio is missing on the way, the file contains silence instead.
 */
export function isSilent(
  { voiceMs, lastMs = 0, lengthMs }: Pick<Heard, 'voiceMs' | 'lastMs' | 'lengthMs'>,
  answerMs: number,
  hangUpMs: number,
): boolean {
  const endMs = Math.min(hangUpMs, lengthMs);
  return voiceMs < leastHeardMs || endMs - lastMs > mostSilent * (endMs - answerMs);
}

const missingShareOf = ({ silentMs, firstMs = 0, lastMs = 0 }: Heard): number =>
  silentMs === 0 ? 0 : silentMs / (lastMs - firstMs);
