/** Something that ends at its deadline unless it is removed before. */
export interface Expiring {
  startedMs: number;
  expire(): void;
}

export interface Deadlines {
  add(each: Expiring): void;
  remove(each: Expiring): void;
}

/**
 * Expires entries `timeoutMs` after their start, with one timer for all. They have the same timeout and are added in
 * the order of their start, so the first entry always expires first. A timer per request costs more than its signature.
 */
export function createDeadlines(timeoutMs: number): Deadlines {
  const entries = new Set<Expiring>();
  let isWaiting = false;
  const wait = (): void => {
    const [first] = entries;
    isWaiting = first !== undefined;
    if (first) setTimeout(check, Math.max(first.startedMs + timeoutMs - performance.now(), 1));
  };
  const check = (): void => {
    const before = performance.now() - timeoutMs;
    for (const entry of entries) {
      if (entry.startedMs > before) break;
      entries.delete(entry);
      entry.expire();
    }
    wait();
  };
  return {
    add(entry) {
      entries.add(entry);
      if (!isWaiting) wait();
    },
    remove: (entry) => void entries.delete(entry),
  };
}
