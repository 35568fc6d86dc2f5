/** Bounds concurrency in total and per group. A slot is held until it is released. */
export interface Slots {
  free(): number;
  take(group: string): void;
  release(groups: string[]): void;
  /** Returns the groups that have no free slot. */
  full(): string[];
  /** Resolves when slots were released. */
  next(): Promise<void>;
}

export function createSlots(max: number, maxPerGroup: number): Slots {
  const held = new Map<string, number>();
  let total = 0;
  let changed = Promise.withResolvers<void>();
  return {
    free: () => max - total,
    take(group) {
      held.set(group, (held.get(group) ?? 0) + 1);
      total += 1;
    },
    release(groups) {
      for (const group of groups) {
        const left = (held.get(group) ?? 0) - 1;
        if (left > 0) held.set(group, left);
        else held.delete(group);
      }
      total -= groups.length;
      changed.resolve();
      changed = Promise.withResolvers();
    },
    full: () => [...held].filter(([, count]) => count >= maxPerGroup).map(([group]) => group),
    next: () => changed.promise,
  };
}
