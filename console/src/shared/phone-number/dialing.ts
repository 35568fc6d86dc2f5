import { useEffect, useSyncExternalStore } from 'react';

/** Connects phone numbers shown anywhere with the phone, without a dependency between them. */
type Dial = (number: string) => void;

let phone: Dial | undefined;
const watchers = new Set<() => void>();
const notify = (): void => {
  for (const watcher of watchers) watcher();
};

/** Registers the phone's dial function while the component is mounted. */
export function useProvideDialing(dial: Dial | undefined): void {
  useEffect(() => {
    phone = dial;
    notify();
    return () => {
      phone = undefined;
      notify();
    };
  }, [dial]);
}

/** Returns the dial function, or undefined when no phone is available. */
export function useDial(): Dial | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => phone,
  );
}
