import { inBatches } from '../../../platform/batch.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Lease } from '../call.ts';
import { writeNotes } from './audio.store.ts';

/** The party whose audio is concerned, as in `ended_by`. */
export const audioParties = ['extension', 'destination'] as const;

/**
 * The engine receives no packets from the party, cannot decode those that it receives, or receives them from another
 * address than that of the phone, so that the call is ended.
 */
export const audioReasons = ['no_packets', 'undecodable', 'other_address'] as const;

export interface AudioFault {
  from: (typeof audioParties)[number];
  reason: (typeof audioReasons)[number];
}

/** An entry of a call's timeline about its audio. */
export type AudioNote = { callId: string; at: Date; from: AudioFault['from'] } & (
  | { what: 'audio_missing'; reason: AudioFault['reason'] }
  | { what: 'audio_returned' }
);

/** Writes the entry. Returns false if the call has one already or has ended, or if the lease is no longer held. */
export type NoteAudio = (note: AudioNote) => Promise<boolean>;

const maxNotes = 100;

/** Batches the entries of many calls into one statement: a failing network affects all calls of a node at once. */
export const createAudioNotes = (db: Database, lease: Lease): NoteAudio =>
  inBatches((notes) => writeNotes(db, lease, notes), maxNotes);
