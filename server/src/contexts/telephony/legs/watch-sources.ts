import { setTimeout as sleep } from 'node:timers/promises';
import { type AudioNote, firstLegId, partyOf, type RunningLeg } from '../../calls/index.ts';
import type { Control } from '../nodes/control.ts';
import { channelsOf, type FollowedCall } from './followed-calls.ts';
import { inLanes } from './in-lanes.ts';
import {
  isDue,
  isElsewhere,
  type Side,
  type SourceWatch,
  startAddedWatch,
  startSourceWatch,
} from './media-source.rules.ts';
import { allowsAnySource } from './media-source.store.ts';

/** A phone that moves to another network changes both addresses, one shortly after the other. */
const confirmAfterMs = 100;

/**
 * Ends calls in which the engine sends the audio of an unencrypted phone to another address than that of the phone. The
 * engine learns this address from the packets that it receives, so another sender can divert the audio to itself. Edges
 * of the previous release do not set the media address of phones, and nothing is judged while one runs.
 */
export async function watchSources(control: Control): Promise<void> {
  if (!control.deps.callerKeys.allEdgesSign()) return;
  const watches = control.calls
    .all()
    .flatMap((followed) => watchesOf(followed).map((watch) => ({ followed, watch })));
  await inLanes(watches, ({ followed, watch }) => readLegs(control, followed, watch));
}

/** Returns the watches of a call that are read in this round. */
function watchesOf(followed: FollowedCall): SourceWatch[] {
  if (followed.call.state !== 'answered') return [];
  followed.source ??= startSourceWatch(followed.call.kind);
  return [followed.source, ...followed.legs.flatMap((leg) => addedWatch(followed, leg))].filter(isDue);
}

function addedWatch({ addedSources }: FollowedCall, leg: RunningLeg): SourceWatch[] {
  const { letter, role, purpose, state, engineLeg } = leg;
  if (purpose === null || role !== 'extension' || state !== 'answered' || engineLeg === null) return [];
  const watch = addedSources.get(letter) ?? startAddedWatch(engineLeg);
  addedSources.set(letter, watch);
  return [watch];
}

async function readLegs(control: Control, followed: FollowedCall, watch: SourceWatch): Promise<void> {
  for (const side of [...watch.sides]) {
    const leg = side === 'first' ? firstLegId(followed.call) : await secondLegOf(control, followed, watch);
    if (leg === undefined) continue;
    const source = await control.node.audioSource(leg);
    if (source && !source.isPlain) watch.sides.delete(side);
    if (!source?.isPlain || !isElsewhere(source)) continue;
    await sleep(confirmAfterMs);
    const confirmed = await control.node.audioSource(leg);
    if (confirmed && isElsewhere(confirmed)) return await refuse(control, followed, watch, side, confirmed);
  }
}

async function secondLegOf(
  { node }: Control,
  { call }: FollowedCall,
  watch: SourceWatch,
): Promise<string | undefined> {
  watch.secondLeg ??= (await node.dialledLeg(firstLegId(call))) ?? undefined;
  return watch.secondLeg;
}

async function refuse(
  control: Control,
  followed: FollowedCall,
  watch: SourceWatch,
  side: Side,
  { audio, phone }: { audio: string; phone: string },
): Promise<void> {
  const { deps, node, lease, calls, noteAudio } = control;
  const { call } = followed;
  if (await allowsAnySource(deps.db, call.accountId)) return watch.sides.clear();
  const { callId } = call;
  const from = side === 'added' ? 'extension' : partyOf(call, side === 'first' ? 'extension' : 'destination');
  const reason = 'other_address';
  const note: AudioNote = { callId, at: deps.clock.now(), from, what: 'audio_missing', reason };
  // Written before the end, which the engine reports afterwards.
  calls.enqueue(callId, async () => {
    if (!(await noteAudio(note))) return;
    deps.log.warn({ callId, node: lease.node, from, audio, phone }, 'call ended; audio from another address');
    deps.observer.audioMissing({ from, reason });
  });
  await Promise.all(channelsOf(followed).map((leg) => node.hangUp(leg)));
  watch.sides.clear();
}
