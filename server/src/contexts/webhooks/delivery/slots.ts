/**
 * Bounds the number of concurrent requests, and follows each delivery until it is recorded. A slot is free again at the
 * response; the group, an endpoint, when the attempt is recorded, because until then the delivery is leased.
 */
export interface Slots {
  free(): number;
  take(group: number): void;
  answered(): void;
  recorded(groups: number[]): void;
  /** Returns whether a group has reached its limit. */
  hasFullGroup(): boolean;
  /** Returns whether every delivery is recorded. */
  isIdle(): boolean;
  /** Resolves when something was answered or recorded. */
  next(): Promise<void>;
}

export function createSlots(max: number, maxPerGroup: number): Slots {
  const leased = new Map<number, number>();
  let requests = 0;
  let fullGroups = 0;
  let changed = Promise.withResolvers<void>();
  const change = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  return {
    free: () => max - requests,
    take(group) {
      const count = (leased.get(group) ?? 0) + 1;
      leased.set(group, count);
      if (count === maxPerGroup) fullGroups += 1;
      requests += 1;
    },
    answered() {
      requests -= 1;
      change();
    },
    recorded(groups) {
      for (const group of groups) {
        const count = leased.get(group) ?? 0;
        if (count === maxPerGroup) fullGroups -= 1;
        if (count > 1) leased.set(group, count - 1);
        else leased.delete(group);
      }
      change();
    },
    hasFullGroup: () => fullGroups > 0,
    isIdle: () => leased.size === 0,
    next: () => changed.promise,
  };
}
