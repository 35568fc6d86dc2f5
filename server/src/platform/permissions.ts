/** Whose calls a user sees. */
export const callViews = ['own', 'all'] as const;
export type CallView = (typeof callViews)[number];

/** Whose recordings a user gets links to, among the calls that the user sees. */
export const recordingViews = ['none', 'own', 'all'] as const;
export type RecordingView = (typeof recordingViews)[number];

/** What an ADMIN lets a USER do, besides what every USER may. */
export interface Permissions {
  calls: CallView;
  recordings: RecordingView;
  /** Balance, statement, charges and billing details of the account. */
  money: boolean;
  /** The user's own integrations. */
  webhooks: boolean;
  /** Following and ending the calls of other users. */
  supervision: boolean;
}

/** The permissions that admit to routes; the others decide what routes return. */
export const routePermissions = ['money', 'webhooks'] as const;
export type RoutePermission = (typeof routePermissions)[number];

/** What ADMINs and service tokens may do. */
export const everyPermission: Permissions = {
  calls: 'all',
  recordings: 'all',
  money: true,
  webhooks: true,
  supervision: true,
};

interface Viewer {
  userId: number;
  permissions: Permissions;
}

/** Returns the user to whose calls lists, searches, exports, summaries and single calls are limited; undefined for none. */
export const callsSeenBy = ({ userId, permissions }: Viewer): number | undefined =>
  permissions.calls === 'all' ? undefined : userId;

/**
 * Returns the user to whose calls the event log and the stream are limited; undefined for none. Following the calls of
 * others needs supervision besides, so that a user who may look up all calls is not notified of all of them.
 */
export const callsFollowedBy = ({ userId, permissions }: Viewer): number | undefined =>
  permissions.calls === 'all' && permissions.supervision ? undefined : userId;

/** Returns whether the user may end this call. */
export const mayEnd = (viewer: Viewer, belongsTo: (number | null)[]): boolean =>
  callsFollowedBy(viewer) === undefined || belongsTo.includes(viewer.userId);
