import type { Tx } from '../../platform/db/database.ts';
import type { Author } from '../audit/index.ts';

/** Makes a user the owner of the account's extensions that have the user's e-mail and no owner. */
export type LinkExtensions = (
  tx: Tx,
  author: Author,
  user: { id: number; email: string },
  at: Date,
) => Promise<void>;
