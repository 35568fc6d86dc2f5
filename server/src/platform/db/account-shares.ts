import { Refusal } from '../errors.ts';

/** Bounds the connections that each account uses at once. */
export interface AccountShares {
  /** Runs the work when the account uses fewer connections than its share, in the order of the calls. */
  run<T>(accountId: number, work: () => Promise<T>): Promise<T>;
}

interface Usage {
  running: number;
  waiting: (() => void)[];
}

/** Refuses work that could not start within `maxWaitMs`. */
export function createAccountShares(share: number, maxWaitMs: number): AccountShares {
  const usages = new Map<number, Usage>();

  function leave(accountId: number, usage: Usage): void {
    const next = usage.waiting.shift();
    if (next) next();
    else if (--usage.running === 0) usages.delete(accountId);
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
      if (usage.running < share) usage.running += 1;
      else await waitIn(usage);
      try {
        return await work();
      } finally {
        leave(accountId, usage);
      }
    },
  };
}

const tooBusy = (): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', 'Too many requests of this account are running. Try again shortly.', {
    retryAfterSeconds: 2,
  });
