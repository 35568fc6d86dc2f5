import { type RefObject, useEffect, useRef } from 'react';

/**
 * Whoever uses the phone by keyboard stays in it when a button goes away under the focus, such as that for calling. Who
 * is somewhere else is left there.
 */
export function useKeptFocus(card: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  const isWithin = useRef(takesFocus);
  useEffect(() => {
    const follow = ({ target }: FocusEvent): void => {
      isWithin.current = card.current?.contains(target as Node) ?? false;
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, [card]);
  // After everything that is drawn.
  useEffect(() => {
    if (!isWithin.current || document.activeElement !== document.body) return;
    (card.current?.querySelector<HTMLElement>('[data-first]') ?? card.current)?.focus();
  });
}
