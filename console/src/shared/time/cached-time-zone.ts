/** Time zone of the last session in this browser. Its presence also means that the user is probably logged in. */

const storageKey = 'disca.zone';

export const cachedTimeZone = (): string | null => localStorage.getItem(storageKey);
export const cacheTimeZone = (timeZone: string): void => localStorage.setItem(storageKey, timeZone);
export const clearCachedTimeZone = (): void => localStorage.removeItem(storageKey);
