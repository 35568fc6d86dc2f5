import type { Database } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';

export const contactSources = ['metadata', 'import', 'manual'] as const;
export type ContactSource = (typeof contactSources)[number];

/** What people or integrators write about a number. One of name and deal is set. */
export interface ContactText {
  /** Digits with country code. */
  number: string;
  name: string | null;
  deal: string | null;
}

export interface Contact extends ContactText {
  id: string;
  source: ContactSource;
  createdAt: Date;
  updatedAt: Date;
}

export interface ContactDeps {
  db: Database;
  clock: Clock;
}
