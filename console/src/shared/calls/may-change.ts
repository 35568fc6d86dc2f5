import type { Answer } from '../../api/client.ts';
import { useIsAdmin, useSession } from '../../api/session.ts';

type Call = Pick<Answer<'/calls/{id}'>, 'call_type' | 'from' | 'to' | 'requested_by'>;

/** Whether the user may write about the call and control it: their own calls, and with supervision all. */
export function useMayChange(call: Call | undefined): boolean {
  const { user, permissions, extensions } = useSession();
  const isAdmin = useIsAdmin();
  if (!call) return false;
  if (isAdmin || permissions.supervision || permissions.calls === 'own') return true;
  const own = call.call_type === 'inbound' ? call.to : call.from;
  return call.requested_by?.uuid === user.uuid || extensions.some(({ ramal }) => ramal === own);
}
