import { GatewayUnavailable } from '../../../contexts/charges/index.ts';

/** Runs at most `atOnce` concurrently and queues up to `waiting` more; rejects the rest. */
export function createSlots(atOnce: number, waiting: number) {
  const line: (() => void)[] = [];
  let free = atOnce;

  return async function within<Result>(work: () => Promise<Result>): Promise<Result> {
    if (free > 0) free -= 1;
    else if (line.length < waiting) await new Promise<void>((turn) => line.push(turn));
    else throw new GatewayUnavailable('Too many requests to Asaas are queued', 5);
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free += 1;
    }
  };
}
