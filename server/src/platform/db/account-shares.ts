import { Refusal } from '../errors.ts';

/** Bounds the connections that each account uses at once. */
export interface AccountShares {
  /** Runs the work when the account uses fewer connections than its share, in the order of the calls. */
  run<T>(accountId: number, work: () => Promise<T>): Promise<T>;
  /** Makes the share of an account smaller than that of the others; null restores it. */
  limit(accountId: number, most: number | null): void;
}

interface Usage {
  running: number;
  waiting: (() => void)[];
}

/** Refuses work that could not start within `maxWaitMs`. */
export function createAccountShares(share: number, maxWaitMs: number): AccountShares {
  const usages = new Map<number, Usage>();
  const limits = new Map<number, number>();

  const shareOf = (accountId: number): number => limits.get(accountId) ?? share;

  /** Starts as much of the waiting work as the share allows. */
  function startWaiting(accountId: number, usage: Usage): void {
    while (usage.waiting.length > 0 && usage.running < shareOf(accountId)) {
      usage.running += 1;
      usage.waiting.shift()?.();
    }
    if (usage.running === 0) usages.delete(accountId);
  }

  async function waitIn(usage: Usage): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      usage.waiting.splice(usage.waiting.indexOf(enter), 1);
      reject(tooBusy());
    }, maxWaitMs);
    const enter = (): void => {
      clearTimeout(timer);
      resolve();
    };
    usage.waiting.push(enter);
    await promise;
  }

  return {
    async run(accountId, work) {
      let usage = usages.get(accountId);
      if (!usage) {
        usage = { running: 0, waiting: [] };
        usages.set(accountId, usage);
      }
      if (usage.running < shareOf(accountId)) usage.running += 1;
      else await waitIn(usage);
      try {
        return await work();
      } finally {
        usage.running -= 1;
        startWaiting(accountId, usage);
      }
    },
    limit(accountId, most) {
      if (most === null) limits.delete(accountId);
      else limits.set(accountId, Math.min(Math.max(most, 1), share));
      const usage = usages.get(accountId);
      if (usage) startWaiting(accountId, usage);
    },
  };
}

const tooBusy = (): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', 'Too many requests of this account are running. Try again shortly.', {
    retryAfterSeconds: 2,
    budget: 'database_connections',
  });
