import { createDigestKeys } from '../../src/platform/digest-keys.ts';

const secret = 'a'.repeat(64);

/** DIGEST_KEYS of api and edges in tests. */
export const testDigestKeys = `k1:${secret}`;

/** The same keys, to seal and open HA1s in tests. */
export const digestKeys = createDigestKeys([{ id: 'k1', secret }]);
