import type { Fault } from '../../platform/errors.ts';
import type { Permissions } from '../../platform/permissions.ts';

/** Returns the faults of permissions that contradict each other. */
export function faultsOfPermissions({ calls, recordings, supervision }: Partial<Permissions>): Fault[] {
  if (calls !== 'own') return [];
  const needsAll = (path: string, what: string): Fault => ({
    path,
    code: 'conflict',
    message: `\`${path}\` ${what} needs \`calls\` \`all\`.`,
  });
  return [
    ...(recordings === 'all' ? [needsAll('recordings', '`all`')] : []),
    ...(supervision === true ? [needsAll('supervision', '`true`')] : []),
  ];
}
