import type { Database } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { Lease } from '../call.ts';
import type { AudioNote } from './note-audio.ts';

/** Adds the entries to the timelines of their calls, and returns which were added. */
export async function writeNotes(db: Database, lease: Lease, notes: AudioNote[]): Promise<boolean[]> {
  const rows = notes.map(({ callId, at, ...moment }, position) => ({
    position,
    call_id: callId,
    moment: { at: at.toISOString(), ...moment },
  }));
  const query = prepared<{ position: number }>`
    select position from note_audio(${lease.node}, ${lease.epoch}, ${JSON.stringify(rows)}) as position`;
  const written = new Set((await queryPrepared(db, query)).map(({ position }) => position));
  return notes.map((_, position) => written.has(position));
}
