import { existsSync, readFileSync } from 'node:fs';

/** A call as the simulator saw it. Times are in milliseconds since 1970, by the simulator's clock. */
export interface SimulatedCall {
  /** The simulator's own name of it. */
  id: string;
  /** A party that is called, or one that calls. */
  side: 'phone' | 'carrier' | 'dialler';
  /** The number dialled, or the name the phone registered with. */
  number: string;
  /** The number shown. */
  from: string;
  /** The header X-Disca-Call-Id, or empty. */
  callId: string;
  notAfter: string;
  alertInfo: string;
  callInfo: string;
  invitedAtMs: number;
  answeredAtMs?: number;
  endedAtMs?: number;
  /** The simulator itself, or whoever called it. */
  endedBy?: 'self' | 'other';
  /** The keys that the other side pressed. */
  keys: string;
  /** Of a party that calls: the engine's name of its leg, and the last SIP status it was answered. */
  leg?: string;
  status?: number;
}

interface Line {
  event: 'invite' | 'dial' | 'answer' | 'key' | 'end';
  id: string;
  at: number;
  by?: 'self' | 'other';
  leg?: string;
  key?: string;
  status?: string;
}

type InviteLine = Line & Omit<SimulatedCall, 'invitedAtMs' | 'keys'>;

/** The dialplan puts an equals sign before what may be empty. */
const unmarked = (text: string): string => text.slice(1);

const toMs = (seconds: number): number => Math.round(seconds * 1_000);

/** Folds the lines that the dialplan appends, in the order the calls came. */
export function readCalls(file: string): SimulatedCall[] {
  if (!existsSync(file)) return [];
  return foldLines(readFileSync(file, 'utf8'));
}

export function foldLines(text: string): SimulatedCall[] {
  const calls = new Map<string, SimulatedCall>();
  // A line that is being written has no end yet.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line !== '') apply(calls, JSON.parse(line) as Line);
  }
  return [...calls.values()];
}

const nothingTold = { number: '', from: '', callId: '', notAfter: '', alertInfo: '', callInfo: '', keys: '' };

function apply(calls: Map<string, SimulatedCall>, line: Line): void {
  if (line.event === 'dial') {
    const { id, leg = '' } = line;
    calls.set(id, { ...nothingTold, id, side: 'dialler', leg, invitedAtMs: toMs(line.at) });
    return;
  }
  if (line.event === 'invite') {
    const { id, side, number, at, ...told } = line as InviteLine;
    calls.set(id, {
      id,
      side,
      number,
      from: unmarked(told.from),
      callId: unmarked(told.callId),
      notAfter: unmarked(told.notAfter),
      alertInfo: unmarked(told.alertInfo),
      callInfo: unmarked(told.callInfo),
      keys: '',
      invitedAtMs: toMs(at),
    });
    return;
  }
  const call = calls.get(line.id);
  if (!call) return;
  if (line.event === 'answer') call.answeredAtMs = toMs(line.at);
  else if (line.event === 'key') call.keys += line.key ?? '';
  else {
    call.endedAtMs = toMs(line.at);
    if (line.by) call.endedBy = line.by;
    if (line.status !== undefined) call.status = Number(line.status);
  }
}
