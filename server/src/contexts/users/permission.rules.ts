import type { Fault } from '../../platform/errors.ts';
import type { Permissions } from '../../platform/permissions.ts';

type Given = { [Name in keyof Permissions]?: Permissions[Name] | undefined };

/** Returns the faults of permissions that contradict each other. */
export function faultsOfPermissions({ calls, recordings, supervision }: Given): Fault[] {
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
