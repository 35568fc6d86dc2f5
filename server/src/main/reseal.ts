import { z } from 'zod';
import { totpSeals } from '../contexts/access/index.ts';
import { senhaSeals } from '../contexts/extensions/index.ts';
import { secretSeals } from '../contexts/integrations/index.ts';
import { operatorSeals } from '../contexts/operators/index.ts';
import { recordingKeySeals } from '../contexts/recordings/index.ts';
import { ssoSeals } from '../contexts/sso/index.ts';
import { trunkSeals } from '../contexts/telephony/index.ts';
import type { QueueDefinition } from '../platform/jobs.ts';
import type { ResealDeps, Seals } from '../platform/seals.ts';

/**
 * Everything that is stored sealed with the key ring for longer than a day. Codes that verify caller ids and queued mails
 * are sealed as well, and expire earlier.
 */
export const allSeals: Seals[] = [
  senhaSeals,
  secretSeals,
  totpSeals,
  ssoSeals,
  trunkSeals,
  recordingKeySeals,
  operatorSeals,
];

/** At most one waits; `key` is the id of the key that the operator sees as the current one. */
export const resealQueue: QueueDefinition = {
  name: 'platform.reseal',
  policy: 'short',
  retryLimit: 5,
  retryDelay: 30,
  expireInSeconds: 3600,
};

const resealJob = z.object({ key: z.string().optional() });

/** Seals all secrets with the current key. Can be interrupted: the next run continues with what is left. */
export async function resealAll(deps: ResealDeps, data: unknown, signal: AbortSignal): Promise<number> {
  const { key } = resealJob.parse(data ?? {});
  const [current] = deps.keyRing.ids;
  if (key !== undefined && key !== current)
    throw new Error(
      `The current key of this worker is ${current}, not ${key}. Restart it with the new KEY_RING.`,
    );
  const failures: unknown[] = [];
  let count = 0;
  for (const { reseal } of allSeals) {
    if (signal.aborted) break;
    count += await reseal(deps, signal).catch((error: unknown) => {
      failures.push(error);
      return 0;
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some secrets could not be sealed again.');
  return count;
}
