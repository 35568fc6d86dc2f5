import { api, unwrap } from '../../../api/client.ts';

/** Returns why the service refuses all outbound calls of the account at present; undefined if it does not. */
export async function whyCallsAreRefused(): Promise<'suspended' | 'unapproved' | undefined> {
  const { account } = await unwrap(api.GET('/users/me/context'));
  if (account.awaitsApproval) return 'unapproved';
  return account.callingSuspended ? 'suspended' : undefined;
}
