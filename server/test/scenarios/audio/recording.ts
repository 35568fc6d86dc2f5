import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import { parseSound } from '../../harness/voice/tones.ts';
import { analyse } from './analyse.ts';
import type { Direction } from './judge.ts';
import type { TalkedCall } from './place.ts';
import { isBrowser } from './plan.ts';

export interface RecordingCheck {
  /** Audio that a party heard and the recording lacks, and the reverse; the larger of both sides. */
  shortMs: number;
  excessMs: number;
  /**
   * Audio that the recording has lost for certain. A browser fills in audio that a busy party did not send, so what it
   * heard counts only if the recording has less than half of it.
   */
  lostMs: number;
  foreignHertz: number[];
}

const storedSeconds = 60;

/** Downloads the recording of a call and compares each side with what the other party heard. */
export async function checkRecording(
  { apiUrl }: ManyNodesDeployment,
  call: TalkedCall,
  directions: Direction[],
): Promise<{ check: RecordingCheck; file: Buffer }> {
  const file = await until(() => download(apiUrl, call), 'the recording is stored', storedSeconds);
  const sound = parseSound(file);
  const hertz = { caller: call.called.hertz, called: call.caller.hertz };
  const allowed = Object.values(hertz);
  const sides = directions.map(({ to, kind, heard }) => {
    const recorded = analyse(sound, { hertz: hertz[to], allowed });
    const excessMs = recorded.toneMs - heard.toneMs;
    const isFilledIn = kind !== undefined && isBrowser(kind) && recorded.toneMs >= heard.toneMs / 2;
    return { excessMs, lostMs: isFilledIn ? 0 : -excessMs, recorded };
  });
  const check = {
    shortMs: Math.max(0, ...sides.map(({ excessMs }) => -excessMs)),
    excessMs: Math.max(0, ...sides.map(({ excessMs }) => excessMs)),
    lostMs: Math.max(0, ...sides.map(({ lostMs }) => lostMs)),
    foreignHertz: [...new Set(sides.flatMap(({ recorded }) => recorded.foreign.map((found) => found.hertz)))],
  };
  return { check, file };
}

async function download(apiUrl: string, { callId, line }: TalkedCall): Promise<Buffer | undefined> {
  const { json } = await line.customer.ask('GET', `/calls/${callId}`);
  if (!json?.record_url) return undefined;
  const { pathname, search } = new URL(json.record_url);
  const response = await fetch(new URL(pathname + search, apiUrl));
  const body = Buffer.from(await response.arrayBuffer());
  return response.ok ? body : undefined;
}
