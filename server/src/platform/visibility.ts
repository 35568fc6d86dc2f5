import type { Caller } from './caller.ts';
import { allowsScope } from './scopes.ts';

/** Who reads calls. */
export type Viewer = Pick<Caller, 'accountId' | 'userId' | 'uuid' | 'scopes' | 'permissions'>;

type Permitted = Pick<Viewer, 'userId' | 'permissions'>;

/** Returns the user to whose calls lists, searches, exports, summaries and single calls are limited; undefined for none. */
export const callsSeenBy = ({ userId, permissions }: Permitted): number | undefined =>
  permissions.calls === 'all' ? undefined : userId;

/**
 * Returns the user to whose calls the event log and the stream are limited; undefined for none. The calls of others need
 * supervision besides, so that a user who may look up all calls is not notified of each of them.
 */
export const callsFollowedBy = ({ userId, permissions }: Permitted): number | undefined =>
  permissions.calls === 'all' && permissions.supervision ? undefined : userId;

/** Returns whether the viewer gets a link to the recording of a call that the viewer sees. */
export function mayListen({ scopes, permissions }: Pick<Viewer, 'scopes' | 'permissions'>, isOwn: boolean) {
  if (!allowsScope(scopes, 'recordings')) return false;
  return permissions.recordings === 'all' || (permissions.recordings === 'own' && isOwn);
}
