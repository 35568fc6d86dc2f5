import { useEffect, useSyncExternalStore } from 'react';

/** A value that one component provides while it is mounted, and that others use without depending on it. */
interface ProvidedValue<Value> {
  current: Value | undefined;
  watchers: Set<() => void>;
}

export const createProvidedValue = <Value>(): ProvidedValue<Value> => ({
  current: undefined,
  watchers: new Set(),
});

/** Provides the value; it must be stable while it does not change. */
export function useProvide<Value>(provided: ProvidedValue<Value>, value: Value | undefined): void {
  useEffect(() => {
    change(provided, value);
    return () => change(provided, undefined);
  }, [provided, value]);
}

export const useProvided = <Value>(provided: ProvidedValue<Value>): Value | undefined =>
  useSyncExternalStore(
    (watcher) => {
      provided.watchers.add(watcher);
      return () => provided.watchers.delete(watcher);
    },
    () => provided.current,
  );

function change<Value>(provided: ProvidedValue<Value>, value: Value | undefined): void {
  provided.current = value;
  for (const watcher of provided.watchers) watcher();
}
