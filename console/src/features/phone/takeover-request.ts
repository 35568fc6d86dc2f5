let isJustSwitchedOn = false;

/** Somebody pressed the button in this tab: the extension is to be taken, whoever has it. */
export const noteSwitch = (): void => {
  isJustSwitchedOn = true;
};

/** Tells it once. */
export function wasJustSwitchedOn(): boolean {
  const was = isJustSwitchedOn;
  isJustSwitchedOn = false;
  return was;
}
