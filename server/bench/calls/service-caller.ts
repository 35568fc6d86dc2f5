import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { takeCommits } from './commits.ts';
import { type BenchLine, lineAt } from './lines.ts';
import type { Caller } from './load.ts';

export interface ServiceOptions {
  apiOrigin: string;
  lines: BenchLine[];
  query: OwnerQuery;
  idle(): Promise<number>;
}

/** A caller that also returns the id and the time of each request that was accepted. */
export interface TracedCaller extends Caller {
  placeTraced(index: number): Promise<{ id: string; askedAtMs: number } | undefined>;
}

const connections = 64;
const maxWaitMs = 30_000;

/**
 * Sends `POST /calls` to the real API. The time of an answer is the commit timestamp that PostgreSQL stores for the
 * transaction that records it (`recordCommits`); all clocks are this machine's.
 */
export function openServiceCaller({ apiOrigin, lines, query, idle }: ServiceOptions): TracedCaller {
  const pool = new Pool(apiOrigin, { connections, pipelining: 1 });
  const asked = new Map<string, number>();
  const refusals = new Map<string, number>();
  const refuse = (why: string) => refusals.set(why, (refusals.get(why) ?? 0) + 1);

  return {
    name: 'disca',
    async place(index) {
      await this.placeTraced(index);
    },
    async placeTraced(index) {
      const { token, ramal } = lineAt(lines, index);
      const askedAtMs = Date.now();
      try {
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path: '/api/v1/calls',
          headers: { authorization: token, 'content-type': 'application/json' },
          body: JSON.stringify({ caller: ramal, called: '5511987654321', extension: ramal }),
        });
        const answer = (await body.json()) as { id: string };
        if (statusCode === 200) {
          asked.set(answer.id, askedAtMs);
          return { id: answer.id, askedAtMs };
        }
        refuse(String(statusCode));
      } catch (error) {
        refuse((error as Error).message);
      }
      return undefined;
    },
    async idle() {
      const left = await idle();
      const deadline = Date.now() + maxWaitMs;
      const isLive = async () =>
        (await query('select from live_calls where call_id = any ($1) limit 1', [[...asked.keys()]])).length >
        0;
      while ((await isLive()) && Date.now() < deadline) await sleep(200);
      return left;
    },
    async collect() {
      const tookMs = (await takeCommits(query)).flatMap(({ callId, atMs }) => {
        const askedAtMs = asked.get(callId);
        asked.delete(callId);
        return askedAtMs === undefined ? [] : [atMs - askedAtMs];
      });
      const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0);
      const why = [...refusals].map(([name, count]) => `${count} × ${name}`).join(', ');
      const failed = asked.size + refused;
      asked.clear();
      refusals.clear();
      return { tookMs, failed, why };
    },
  };
}
