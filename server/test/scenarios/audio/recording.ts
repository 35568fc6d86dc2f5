import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import { parseSound } from '../../harness/voice/tones.ts';
import { analyse } from './analyse.ts';
import type { Direction } from './judge.ts';
import type { TalkedCall } from './place.ts';

export interface RecordingCheck {
  /** Audio that a party heard and the recording lacks, and the reverse; the larger of both sides. */
  shortMs: number;
  excessMs: number;
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
  const sides = directions.map(({ to, heard }) => {
    const recorded = analyse(sound, { hertz: hertz[to], allowed });
    return { excessMs: recorded.toneMs - heard.toneMs, recorded };
  });
  const check = {
    shortMs: Math.max(0, ...sides.map(({ excessMs }) => -excessMs)),
    excessMs: Math.max(0, ...sides.map(({ excessMs }) => excessMs)),
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
