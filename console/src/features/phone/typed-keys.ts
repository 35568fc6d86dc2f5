import { useEffect } from 'react';
import { sendCommand } from './tabs.ts';

const editable =
  'input:not([readonly]), textarea, select, [contenteditable], [role="menu"], [role="listbox"]';

/** Sends keys typed anywhere on the page as DTMF while the user talks, unless they are typed into a field. */
export function useTypedKeys(isTalking: boolean): void {
  useEffect(() => {
    if (!isTalking) return;
    const type = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (!/^[\d*#]$/.test(key) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (target instanceof Element && target.closest(editable)) return;
      event.preventDefault();
      sendCommand({ do: 'press', key });
    };
    document.addEventListener('keydown', type);
    return () => document.removeEventListener('keydown', type);
  }, [isTalking]);
}
