import { setTimeout as sleep } from 'node:timers/promises';
import { auditLedger } from '../../../src/contexts/billing/index.ts';
import { openDatabase } from '../../../src/platform/db/database.ts';
import { microsFromReais } from '../../../src/platform/money.ts';
import { systemClock } from '../../../src/platform/time.ts';
import type { ChaosDeployment } from '../../harness/deployments/chaos.ts';
import type { Kill } from './kills.ts';
import { creditReais } from './lines.ts';
import type { CallRecord } from './records.ts';

const pollMs = 500;
/** Time limit until no hold and no live call is left after the last call was placed. */
export const maxIdleMs = 180_000;

interface Left {
  liveCalls: number;
  openHolds: number;
  channels: number;
}

/** Waits until no call is left, and returns how long it took and what remained. */
export async function waitUntilIdle(
  deployment: ChaosDeployment,
): Promise<{ tookMs: number; faults: string[] }> {
  const startedAtMs = Date.now();
  for (;;) {
    const left = await whatIsLeft(deployment);
    const tookMs = Date.now() - startedAtMs;
    const faults = Object.entries(left)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what} are left after ${Math.round(tookMs / 1000)} s`);
    if (faults.length === 0 || tookMs > maxIdleMs) return { tookMs, faults };
    await sleep(pollMs);
  }
}

async function whatIsLeft({ query, engines }: ChaosDeployment): Promise<Left> {
  const [row] = await query(
    `select (select count(*)::int from live_calls) as live,
            (select count(*)::int from call_holds where state = 'open') as open`,
  );
  const { body } = await engines.node.ask('GET', '/channels');
  return { liveCalls: row?.live, openHolds: row?.open, channels: (body as unknown[]).length };
}

/** Returns parties without a call that are still talking, or still ringing although their media node is up. */
export function findZombies({ engines }: ChaosDeployment, kills: Kill[]): string[] {
  const lastKill = Math.max(
    0,
    ...kills.filter(({ target }) => target === 'asterisk').map(({ atMs }) => atMs),
  );
  return (
    [...engines.simulator.phoneCalls(), ...engines.simulator.carrierCalls()]
      .filter((call) => call.endedAtMs === undefined)
      // A media node that died cannot cancel its ringing calls; carriers have timers for that.
      .filter((call) => call.answeredAtMs !== undefined || call.invitedAtMs > lastKill)
      .map((call) => `${call.callId} still has a channel at the ${call.side}`)
  );
}

/** Checks every account: no negative balance, and exactly the cost of its calls was debited. */
export async function auditMoney(
  deployment: Pick<ChaosDeployment, 'serviceUrl' | 'query'>,
  records: CallRecord[],
): Promise<string[]> {
  const db = openDatabase(
    { url: deployment.serviceUrl, poolSize: 2, applicationName: 'chaos', statementTimeoutMs: 30_000 },
    () => undefined,
  );
  const differences = await auditLedger({ db, clock: systemClock });
  await db.close();
  const faults = differences.map((difference) => `the ledger differs: ${JSON.stringify(difference)}`);
  const prices = Map.groupBy(records, ({ accountId }) => accountId);
  const balances = await deployment.query(
    'select account_id, available_micros, held_micros from ledger_balances',
  );
  for (const { account_id, available_micros, held_micros } of balances) {
    const spent = (prices.get(Number(account_id)) ?? []).reduce(
      (sum, { priceMicros }) => sum + priceMicros,
      0,
    );
    const expected = microsFromReais(creditReais) - spent;
    if (Number(available_micros) < 0) faults.push(`account ${account_id} has ${available_micros}`);
    if (Number(held_micros) !== 0) faults.push(`account ${account_id} holds ${held_micros}`);
    if (Number(available_micros) !== expected) {
      faults.push(`account ${account_id} has ${available_micros} instead of ${expected}`);
    }
  }
  return faults;
}
