import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';
import { until } from '../../harness/until.ts';
import { parseSound } from '../../harness/voice/tones.ts';
import type { Customer } from '../many-nodes/line.ts';
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

const storedSeconds = 120;

/** Downloads the recording of a call and compares each side with what the other party heard. */
export async function checkRecording(
  { apiUrl }: ManyNodesDeployment,
  call: TalkedCall,
  directions: Direction[],
): Promise<{ check: RecordingCheck; file: Buffer }> {
  const file = await untilStored(apiUrl, call);
  const sound = parseSound(file);
  const hertz = { caller: call.called.hertz, called: call.caller.hertz };
  const allowed = Object.values(hertz);
  const isOpus = directions.some(({ kind }) => kind !== undefined && isBrowser(kind));
  const sides = directions.map(({ to, kind, heard }) => {
    const recorded = analyse(sound, { hertz: hertz[to], allowed, others: call.otherHertz, isOpus });
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

async function untilStored(apiUrl: string, call: TalkedCall): Promise<Buffer> {
  let problem = '';
  const look = async (): Promise<Buffer | undefined> => {
    const outcome = await download(apiUrl, call).catch((error: Error) => `no response: ${error.message}`);
    if (Buffer.isBuffer(outcome)) return outcome;
    problem = outcome;
    return undefined;
  };
  return await until(look, 'the recording is stored', storedSeconds).catch((error: Error) => {
    throw new Error(`${error.message} The last problem: ${problem}`);
  });
}

/** Returns the file, or why there is none yet. While processes restart, requests may fail. */
export async function download(
  apiUrl: string,
  { callId, line }: { callId: string; line: { customer: Pick<Customer, 'ask'> } },
): Promise<Buffer | string> {
  const { status, json, fault } = await line.customer.ask('GET', `/calls/${callId}`);
  if (status !== 200) return fault ?? `GET /calls/${callId} returned ${status}`;
  if (!json?.record_url) return fault ?? 'the call has no record_url';
  const { pathname, search } = new URL(json.record_url);
  const response = await fetch(new URL(pathname + search, apiUrl));
  const body = Buffer.from(await response.arrayBuffer());
  if (response.ok && body.toString('latin1', 0, 4) === 'RIFF') return body;
  return `GET ${pathname} returned ${response.status}, not with audio: ${body.toString('utf8', 0, 200)}`;
}
