/** The time zone of the account that was last here, which also tells that somebody is probably logged in. */

const storageKey = 'disca.zone';

export const keptZone = (): string | null => localStorage.getItem(storageKey);
export const keepZone = (timeZone: string): void => localStorage.setItem(storageKey, timeZone);
export const forgetZone = (): void => localStorage.removeItem(storageKey);
