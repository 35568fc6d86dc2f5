/** Time zone of the last session in this browser. Its presence also means that the user is probably logged in. */

const storageKey = 'disca.zone';

export const keptZone = (): string | null => localStorage.getItem(storageKey);
export const keepZone = (timeZone: string): void => localStorage.setItem(storageKey, timeZone);
export const forgetZone = (): void => localStorage.removeItem(storageKey);
