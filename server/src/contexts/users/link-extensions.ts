import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Makes a user the owner of the account's extensions that have the user's e-mail and no owner. */
export type LinkExtensions = (
  tx: Tx,
  caller: Caller,
  user: { id: number; email: string },
  at: Date,
) => Promise<void>;
