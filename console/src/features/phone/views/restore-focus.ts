import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the keyboard focus in the phone when the focused button disappears, such as the call button. Does not take the
 * focus from other parts of the page.
 */
export function useRestoreFocus(card: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  const isWithin = useRef(takesFocus);
  useEffect(() => {
    const follow = ({ target }: FocusEvent): void => {
      isWithin.current = card.current?.contains(target as Node) ?? false;
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [card]);
  // Runs after every render.
  useEffect(() => {
    if (!isWithin.current || document.activeElement !== document.body) return;
    (card.current?.querySelector<HTMLElement>('[data-first]') ?? card.current)?.focus();
  });
}
