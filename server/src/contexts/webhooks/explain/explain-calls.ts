import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { callsSeenBy } from '../../../platform/visibility.ts';
import { checkWindow } from '../../../platform/window.ts';
import { flatConstraint } from '../../integrations/index.ts';
import { ownedIntegration } from '../owned-integration.ts';
import { type Reason, whyNotSent } from './explain.rules.ts';
import { findCallsToExplain } from './explain.store.ts';

const longestDays = 31;
const maxCalls = 10_000;
const maxListed = 50;

/** Counts how many calls of a window match an integration with its current settings, and why the others do not. */
export async function explainCalls(
  deps: { db: Database },
  caller: Caller,
  integrationId: string,
  asked: { since: string; until: string },
) {
  const [since, until] = [new Date(asked.since), new Date(asked.until)];
  checkWindow(since, until, longestDays);
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const integration = await ownedIntegration(tx, caller, integrationId);
    const constraint = flatConstraint(integration.webhookConstraint);
    const rows = await findCallsToExplain(
      tx,
      { ...caller, callsOf: callsSeenBy(caller) },
      { since, until, constraint },
      maxCalls + 1,
    );
    const explained = { ...integration, types: integration.settings.types, constraint };
    const calls = rows
      .slice(0, maxCalls)
      .map((call) => ({ callId: call.id, reasons: whyNotSent(explained, call) }));
    const unmatched = calls.filter(({ reasons }) => reasons.length > 0);
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      calls: calls.length,
      isComplete: rows.length <= maxCalls,
      matched: calls.length - unmatched.length,
      unmatched: unmatched.length,
      reasons: countReasons(unmatched.flatMap(({ reasons }) => reasons)),
      sample: unmatched.slice(0, maxListed),
    };
  });
}

/** Counts reasons by code and path, most frequent first. */
function countReasons(reasons: Reason[]) {
  const groups = Map.groupBy(reasons, ({ code, path }) => `${code} ${path}`);
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 1).map(({ code, path }) => ({ code, path, calls: group.length })))
    .sort((one, other) => other.calls - one.calls);
}
