import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

export interface CallerIdentity {
  from: string;
  contact: string;
  assertedIdentity: string;
  remotePartyId: string;
}

/** A call as recorded by the simulator. Times are in milliseconds since 1970, by the simulator's clock. */
export interface SimulatedCall {
  /** The simulator's id of the call. */
  id: string;
  /** A called party, or a calling one. */
  side: 'phone' | 'carrier' | 'dialler';
  /** The number dialled, or the name with which the phone registered. */
  number: string;
  /** Caller ID of the call. */
  from: string;
  /** Headers of the INVITE that show a caller, as received, with their display names. */
  identity: CallerIdentity;
  /** The header X-Disca-Call-Id, or empty. */
  callId: string;
  notAfter: string;
  alertInfo: string;
  callInfo: string;
  invitedAtMs: number;
  answeredAtMs?: number;
  endedAtMs?: number;
  /** Side that ended the call: the simulator, or the other party. */
  endedBy?: 'self' | 'other';
  /** Keys pressed by the other side. */
  keys: string;
  /** For a calling party: its channel id, and the last SIP status received. */
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

type InviteLine = Line &
  Omit<SimulatedCall, 'invitedAtMs' | 'keys' | 'identity'> &
  Omit<CallerIdentity, 'from'> & { fromHeader: string };

/** Removes the equals sign with which the dialplan prefixes values that may be empty. */
const unmarked = (text: string): string => text.slice(1);

const toMs = (seconds: number): number => Math.round(seconds * 1_000);

export interface Notes {
  /** Returns all calls in order of arrival. */
  calls(): SimulatedCall[];
  /** Drops an ended call. */
  forget(id: string): void;
}

/**
 * Merges the lines written by the dialplan into calls. It reads only what was appended since its last run, because long
 * tests poll it during thousands of calls.
 */
export function openNotes(file: string): Notes {
  const calls = new Map<string, SimulatedCall>();
  let position = 0;
  return {
    calls() {
      const added = readFrom(file, position);
      // The last line has no line break while it is being written.
      const whole = added.subarray(0, added.lastIndexOf('\n') + 1);
      position += whole.length;
      foldLines(calls, whole.toString('utf8'));
      // Copies, because later lines change the calls.
      return [...calls.values()].map((call) => ({ ...call }));
    },
    forget: (id) => void calls.delete(id),
  };
}

function readFrom(file: string, position: number): Buffer {
  if (!existsSync(file)) return Buffer.alloc(0);
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - position));
    return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, position));
  } finally {
    closeSync(descriptor);
  }
}

function foldLines(calls: Map<string, SimulatedCall>, text: string): void {
  for (const line of text.split('\n')) {
    if (line !== '') apply(calls, JSON.parse(line) as Line);
  }
}

const noIdentity = { from: '', contact: '', assertedIdentity: '', remotePartyId: '' };
const emptyCall = {
  number: '',
  from: '',
  identity: noIdentity,
  callId: '',
  notAfter: '',
  alertInfo: '',
  callInfo: '',
  keys: '',
};

function apply(calls: Map<string, SimulatedCall>, line: Line): void {
  if (line.event === 'dial') {
    const { id, leg = '' } = line;
    calls.set(id, { ...emptyCall, id, side: 'dialler', leg, invitedAtMs: toMs(line.at) });
    return;
  }
  if (line.event === 'invite') {
    const { id, side, number, at, ...headers } = line as InviteLine;
    calls.set(id, {
      id,
      side,
      number,
      from: unmarked(headers.from),
      identity: {
        from: unmarked(headers.fromHeader),
        contact: unmarked(headers.contact),
        assertedIdentity: unmarked(headers.assertedIdentity),
        remotePartyId: unmarked(headers.remotePartyId),
      },
      callId: unmarked(headers.callId),
      notAfter: unmarked(headers.notAfter),
      alertInfo: unmarked(headers.alertInfo),
      callInfo: unmarked(headers.callInfo),
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
