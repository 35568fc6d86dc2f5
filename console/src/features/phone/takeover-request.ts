let isJustSwitchedOn = false;

/** Records that the user enabled the phone in this tab, which takes over the extension from any other phone. */
export const noteSwitch = (): void => {
  isJustSwitchedOn = true;
};

/** Returns and clears the record. */
export function wasJustSwitchedOn(): boolean {
  const was = isJustSwitchedOn;
  isJustSwitchedOn = false;
  return was;
}
