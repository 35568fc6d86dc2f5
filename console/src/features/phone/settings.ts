import { useSyncExternalStore } from 'react';

/** Phone settings of a user in this browser. Disabled by default. */
export interface PhoneSettings {
  extensionId: number | null;
  /** Device ids; the system default if absent. */
  microphoneId?: string | undefined;
  speakerId?: string | undefined;
}

const off: PhoneSettings = { extensionId: null };
const storageKey = (userUuid: string): string => `disca-phone-${userUuid}`;
const watchers = new Set<() => void>();
const read = new Map<string, { text: string | null; settings: PhoneSettings }>();

/** Returns a stable reference while nothing changes, as useSyncExternalStore requires. */
export function phoneSettings(userUuid: string): PhoneSettings {
  const text = localStorage.getItem(storageKey(userUuid));
  const cached = read.get(userUuid);
  if (cached?.text === text) return cached.settings;
  const settings = parse(text);
  read.set(userUuid, { text, settings });
  return settings;
}

function parse(text: string | null): PhoneSettings {
  try {
    return text === null ? off : { ...off, ...(JSON.parse(text) as PhoneSettings) };
  } catch {
    return off;
  }
}

export function changePhoneSettings(userUuid: string, change: Partial<PhoneSettings>): void {
  localStorage.setItem(storageKey(userUuid), JSON.stringify({ ...phoneSettings(userUuid), ...change }));
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  // Fired by changes in other tabs.
  window.addEventListener('storage', watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener('storage', watcher);
  };
}

export const usePhoneSettings = (userUuid: string): PhoneSettings =>
  useSyncExternalStore(watch, () => phoneSettings(userUuid));
