import { api, unwrap } from '../../../api/client.ts';

/** Whether the service refuses all outbound calls of the account at present. */
export const isCallingSuspended = async (): Promise<boolean> =>
  (await unwrap(api.GET('/users/me/context'))).account.callingSuspended;
