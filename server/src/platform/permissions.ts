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
export type RoutePermission = 'money' | 'webhooks';

/** What ADMINs and service tokens may do. */
export const everyPermission: Permissions = {
  calls: 'all',
  recordings: 'all',
  money: true,
  webhooks: true,
  supervision: true,
};
