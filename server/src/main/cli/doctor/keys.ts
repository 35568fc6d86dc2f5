import { findEdgeKeys } from '../../../contexts/extensions/index.ts';
import { withDatabase } from './database.ts';
import { type Check, type Finding, ok, warning } from './finding.ts';
import type { Settings } from './settings.ts';

const part = 'keys';

/** Checks that HA1s can be stored encrypted: all edges need a key that api has. */
export const checkKeys = (settings: Settings): Check => ({
  part,
  otherwise: 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.',
  async look() {
    const { DATABASE_OWNER_URL: url, DIGEST_KEYS: keys = [] } = settings;
    if (keys.length === 0)
      return warning(
        part,
        'DIGEST_KEYS is not set: the HA1s of SIP passwords are stored unencrypted',
        'Set DIGEST_KEYS to the same value for api, worker and all edges; disca keys new k1 --digest prints a key.',
      );
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    const ids = keys.map(({ id }) => id);
    return judgeEdges(ids, await withDatabase(url, findEdgeKeys));
  },
});

export function judgeEdges(ids: string[], edges: { edge: number; keys: string[] }[]): Finding {
  const without = edges.filter((edge) => !edge.keys.some((key) => ids.includes(key)));
  if (without.length === 0) return ok(part, 'all edges can open encrypted HA1s');
  const named = without.map(({ edge }) => edge).join(', ');
  return warning(
    part,
    `edge ${named} has none of the keys in DIGEST_KEYS: HA1s are stored unencrypted, or its phones cannot log in`,
    'Give it the same DIGEST_KEYS as api and restart it. An edge that was removed is forgotten after a day.',
  );
}
