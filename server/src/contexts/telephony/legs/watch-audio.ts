import { type AudioNote, firstLegId, partyOf } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import {
  type AudioWatch,
  isFlowing,
  isOver,
  missingReason,
  needsSecond,
  noteFirst,
  noteSecond,
  restartWatch,
  type Sender,
  senders,
  startWatch,
} from './audio.rules.ts';
import type { FollowedCall } from './followed-calls.ts';
import { inLanes } from './in-lanes.ts';

/**
 * Reads the packet counters of connected calls, and reports parties whose audio is missing. Healthy calls cost one
 * request per round and no statement.
 */
export async function watchAudio(control: Control): Promise<void> {
  await inLanes(control.calls.all().filter(isWatched), (followed) => watchCall(control, followed));
}

/**
 * A verification call has one leg, to which the engine plays a recording. Legs that have been moved out of their Dial hear
 * the room or music, so the counters of one say nothing about the other's party.
 */
const isWatched = ({ call, audio, legs }: FollowedCall): boolean =>
  call.state === 'answered' &&
  call.kind !== 'code' &&
  legs.every(({ place }) => place === 'dial') &&
  !(audio && isOver(audio));

async function watchCall(control: Control, followed: FollowedCall): Promise<void> {
  const { node } = control;
  followed.audio ??= startWatch();
  const watch = followed.audio;
  const leg = firstLegId(followed.call);
  if (watch.isHeld) {
    watch.isHeld = await isHeld(control, leg, watch);
    return;
  }
  const traffic = await node.traffic(leg);
  if (!traffic) return;
  noteFirst(watch, traffic);
  noteSecond(watch, needsSecond(watch) ? await trafficOfSecond(control, leg, watch) : null);
  await reportMissing(control, followed, watch);
  reportReturned(control, followed, watch);
}

async function trafficOfSecond({ node }: Control, leg: string, watch: AudioWatch) {
  watch.secondLeg ??= (await node.dialledLeg(leg)) ?? undefined;
  return watch.secondLeg === undefined ? null : await node.traffic(watch.secondLeg);
}

/** A party on hold sends no audio, or its own music, until the call is resumed. */
async function isHeld({ node }: Control, leg: string, { secondLeg }: AudioWatch): Promise<boolean> {
  if (await node.isHeld(leg)) return true;
  return secondLeg !== undefined && (await node.isHeld(secondLeg));
}

async function reportMissing(control: Control, followed: FollowedCall, watch: AudioWatch): Promise<void> {
  const found = senders.flatMap((sender) => {
    const reason = watch.missing.has(sender) ? undefined : missingReason(watch, sender);
    return reason ? [{ sender, reason }] : [];
  });
  if (found.length === 0) return;
  if (await isHeld(control, firstLegId(followed.call), watch)) {
    watch.isHeld = true;
    restartWatch(watch);
    return;
  }
  for (const { sender, reason } of found) {
    watch.missing.add(sender);
    report(control, followed, sender, { what: 'audio_missing', reason });
  }
}

function reportReturned(control: Control, followed: FollowedCall, watch: AudioWatch): void {
  for (const sender of watch.missing) {
    if (watch.returned.has(sender) || !isFlowing(watch, sender)) continue;
    watch.returned.add(sender);
    report(control, followed, sender, { what: 'audio_returned' });
  }
}

type Found = { what: 'audio_missing'; reason: 'no_packets' | 'undecodable' } | { what: 'audio_returned' };

function report(control: Control, { call }: FollowedCall, sender: Sender, found: Found): void {
  const { deps, lease, calls, noteAudio } = control;
  const from = partyOf(call, sender === 'first' ? 'extension' : 'destination');
  const note: AudioNote = { callId: call.callId, at: deps.clock.now(), from, ...found };
  calls.enqueue(call.callId, async () => {
    // Reported by the previous lease holder, or the call has ended.
    if (!(await noteAudio(note))) return;
    deps.log.info({ callId: call.callId, node: lease.node, from, ...found }, 'call audio changed');
    if (found.what === 'audio_missing') deps.observer.audioMissing({ from, reason: found.reason });
  });
}
