let isRequested = false;

/** Records that the user enabled the phone in this tab, which takes over the extension from any other phone. */
export const requestTakeover = (): void => {
  isRequested = true;
};

/** Returns and clears the record. */
export function takeTakeoverRequest(): boolean {
  const was = isRequested;
  isRequested = false;
  return was;
}
