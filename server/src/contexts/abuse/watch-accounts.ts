import { inAccount } from '../../platform/db/database.ts';
import { hourOfWeek, secondsAfter } from '../../platform/time.ts';
import {
  findCalledPrefixes,
  findRecentTraffic,
  findTrafficHistory,
  type Traffic,
  type TrafficHistory,
} from '../calls/index.ts';
import { type RaiseDeps, raiseSignal } from './raise-signal.ts';
import { noteNetworks } from './signal.store.ts';
import { signalsOf } from './signals.rules.ts';

/** How long a history is used: it changes little, and takes longer to read than the recent calls. */
const historySeconds = 3_600;
const maxHistories = 10_000;
/** Logins are read once a minute, because there may be many, and with an overlap, because a run may be late. */
const loginsEverySeconds = 60;
const loginsSeconds = 300;
const knownSeconds = 7 * 86_400;

type Histories = Map<number, { readAt: Date; history: TrafficHistory }>;

/** Returns a function that compares the recent calls and logins of every account with its own history. */
export function createWatch(deps: RaiseDeps): (signal: AbortSignal) => Promise<void> {
  const histories: Histories = new Map();
  let loginsReadAt: Date | undefined;
  return async (signal) => {
    const now = deps.clock.now();
    for (const traffic of await findRecentTraffic(deps.db, now)) {
      if (signal.aborted) return;
      await watchTraffic(deps, histories, traffic, now);
    }
    if (loginsReadAt && loginsReadAt > secondsAfter(now, -loginsEverySeconds)) return;
    await watchNetworks(deps, now);
    loginsReadAt = now;
  };
}

async function watchTraffic(
  deps: RaiseDeps,
  histories: Histories,
  traffic: Traffic,
  now: Date,
): Promise<void> {
  const { accountId } = traffic;
  const known = histories.get(accountId);
  const isCurrent = known !== undefined && known.readAt > secondsAfter(now, -historySeconds);
  const { history, newPrefixes } = await inAccount(deps.db, accountId, async (tx) => {
    const prefixes = traffic.destinations.map(({ prefix }) => prefix);
    const called = await findCalledPrefixes(tx, accountId, prefixes, now);
    return {
      history: isCurrent ? known.history : await findTrafficHistory(tx, traffic, now),
      newPrefixes: new Set(prefixes.filter((prefix) => !called.includes(prefix))),
    };
  });
  if (!isCurrent) remember(histories, accountId, { readAt: now, history });
  const observed = { traffic, history, newPrefixes, hourOfWeek: hourOfWeek(now, traffic.timezone) };
  for (const signal of signalsOf(observed)) await raiseSignal(deps, accountId, signal);
}

/** Keeps the histories that were read last. */
function remember(histories: Histories, accountId: number, read: { readAt: Date; history: TrafficHistory }) {
  histories.delete(accountId);
  histories.set(accountId, read);
  const [oldest] = histories.keys();
  if (histories.size > maxHistories && oldest !== undefined) histories.delete(oldest);
}

async function watchNetworks(deps: RaiseDeps, now: Date): Promise<void> {
  const since = secondsAfter(now, -loginsSeconds);
  const knownBefore = secondsAfter(now, -knownSeconds);
  for (const { accountId, network, extensions } of await noteNetworks(deps.db, {
    since,
    knownBefore,
    at: now,
  })) {
    const facts = { kind: 'new_network' as const, network, extensions };
    await raiseSignal(deps, accountId, { facts, running: [] });
  }
}
