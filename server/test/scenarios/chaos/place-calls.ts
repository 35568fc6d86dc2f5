import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosDeployment } from '../../harness/deployments/chaos.ts';
import type { Line } from './lines.ts';
import type { Random } from './random.ts';

export interface PlacedCall {
  number: string;
  accountId: number;
  /** The final response: 200 with an id, or a rejection. */
  status: number;
  id: string | undefined;
  code: string | undefined;
  attempts: number;
  waitedMs: number;
}

/** The last two digits select the simulated carrier's behaviour; most numbers answer and talk. */
const endings = [
  '16',
  '16',
  '16',
  '16',
  '55',
  '99',
  '99',
  '17',
  '18',
  '19',
  '21',
  '01',
  '22',
  '28',
  '34',
  '41',
];
const attemptMs = 5_000;
const pauseMs = 250;
const maxAttempts = 1_000;
const hangUpShare = 0.1;

/** Spreads calls over a period. A request whose response was lost is repeated with its key until it succeeds. */
export async function placeCalls(
  deployment: ChaosDeployment,
  random: Random,
  lines: Line[],
  { count, lengthMs, first = 0 }: { count: number; lengthMs: number; first?: number },
): Promise<PlacedCall[]> {
  const startedAtMs = Date.now();
  const plan = Array.from({ length: count }, (_, index) => ({
    afterMs: ((index + random.next()) * lengthMs) / count,
    line: random.pick(lines),
    number: `5511999${String((first + index) % 10_000).padStart(4, '0')}${random.pick(endings)}`,
    hangUpAfterMs: random.next() < hangUpShare ? random.between(500, 4_000) : undefined,
  }));
  return await Promise.all(
    plan.map(async ({ afterMs, line, number, hangUpAfterMs }) => {
      await sleep(Math.max(startedAtMs + afterMs - Date.now(), 0));
      const placed = await place(deployment, line, number);
      if (placed.id === undefined || hangUpAfterMs === undefined) return placed;
      await sleep(hangUpAfterMs);
      await untilAnswered(deployment, line, `/calls/${placed.id}/hangup`, undefined);
      return placed;
    }),
  );
}

async function place(deployment: ChaosDeployment, line: Line, number: string): Promise<PlacedCall> {
  const body = { caller: line.ramal, called: number, extension: line.ramal };
  const askedAtMs = Date.now();
  const { status, answer, attempts } = await untilAnswered(deployment, line, '/calls', body);
  const { id, error } = answer as { id?: string; error?: { errorCode: string } };
  return {
    number,
    accountId: line.accountId,
    status,
    id,
    code: error?.errorCode,
    attempts,
    waitedMs: Date.now() - askedAtMs,
  };
}

async function untilAnswered(
  { apiUrls }: ChaosDeployment,
  { token }: Line,
  path: string,
  body: object | undefined,
): Promise<{ status: number; answer: unknown; attempts: number }> {
  const key = randomUUID();
  for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
    try {
      const response = await fetch(`${apiUrls[attempts % apiUrls.length]}${path}`, {
        method: 'POST',
        headers: {
          authorization: token,
          ...(body ? { 'idempotency-key': key, 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(attemptMs),
      });
      const answer: unknown = await response.json();
      // A conflict means that the first request is still in progress.
      if (response.status < 500 && response.status !== 409)
        return { status: response.status, answer, attempts };
    } catch {
      // No response, or a truncated one: the outcome is unknown, and the idempotency key makes a retry safe.
    }
    await sleep(pauseMs);
  }
  throw new Error(`POST ${path} got no response in ${maxAttempts} attempts.`);
}
