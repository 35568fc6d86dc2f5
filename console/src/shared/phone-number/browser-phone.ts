import { createProvidedValue, useProvide, useProvided } from '../provided-value.ts';

/** What pages may know about the browser phone, and how they switch it on. */
export interface BrowserPhone {
  /** The extension that it uses; null while it is disabled. */
  extensionId: number | null;
  /** Whether it has a call, so that it cannot place another one. */
  isCalling: boolean;
  /** Enables it for an extension of the user, or for a new one if the user has none. */
  switchOn(extensionId?: number): void;
}

const browserPhone = createProvidedValue<BrowserPhone>();

/** Registers the phone while the component is mounted. */
export const useProvideBrowserPhone = (phone: BrowserPhone): void => useProvide(browserPhone, phone);

/** Returns the phone, or undefined until it has loaded. */
export const useBrowserPhone = (): BrowserPhone | undefined => useProvided(browserPhone);
