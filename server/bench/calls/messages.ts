import { readFileSync } from 'node:fs';

/** When a party received the INVITE of a call, and when it sent its answer. */
export interface PartyTimes {
  invitedAtMs: number;
  answeredAtMs: number;
}

const separator = /^-{40,} (\d{4}-\d\d-\d\d)[ \t]+(\d\d:\d\d:\d\d\.\d+).*$/m;

/** Reads the messages that a SIPp party has logged, by the ids of the calls. */
export function readMessages(file: string): Map<string, PartyTimes> {
  const callOf = new Map<string, string>();
  const times = new Map<string, PartyTimes>();
  // Each message is preceded by its date and its time.
  const [, ...parts] = readFileSync(file, 'utf8').split(separator);
  for (let index = 0; index + 2 < parts.length; index += 3) {
    const atMs =
      Date.parse(`${parts[index]}T${parts[index + 1]?.slice(0, 12)}Z`) + microseconds(parts[index + 1]);
    const text = parts[index + 2] ?? '';
    const dialog = /^Call-ID: *(\S+)/im.exec(text)?.[1] ?? '';
    const callId = /^X-Disca-Call-Id: *(\S+)/im.exec(text)?.[1];
    if (callId !== undefined && /^INVITE /m.test(text) && !callOf.has(dialog)) {
      callOf.set(dialog, callId);
      times.set(callId, { invitedAtMs: atMs, answeredAtMs: Number.NaN });
    } else if (/^SIP\/2\.0 200 /m.test(text) && /^CSeq: *\d+ INVITE/im.test(text)) {
      const known = times.get(callOf.get(dialog) ?? '');
      if (known && Number.isNaN(known.answeredAtMs)) known.answeredAtMs = atMs;
    }
  }
  return times;
}

const microseconds = (time = ''): number => Number(`0.${time.slice(12) || '0'}`);
