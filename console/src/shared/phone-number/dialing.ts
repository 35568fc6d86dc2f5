import { useEffect, useSyncExternalStore } from 'react';

/** Between any number that is shown and the phone, which knows nothing of each other. */
type Dial = (number: string) => void;

let phone: Dial | undefined;
const watchers = new Set<() => void>();
const tell = (): void => {
  for (const watcher of watchers) watcher();
};

/** The phone offers to dial for as long as it is there. */
export function useOfferDialing(dial: Dial | undefined): void {
  useEffect(() => {
    phone = dial;
    tell();
    return () => {
      phone = undefined;
      tell();
    };
  }, [dial]);
}

/** How to dial, if there is a phone that does. */
export function useDial(): Dial | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => phone,
  );
}
