import { type RefObject, useCallback, useEffect, useRef } from 'react';

/**
 * Keeps the keyboard focus in the phone when the focused button disappears, such as the call button: on what is marked as
 * first, or once it is loaded. Does not take the focus from other parts of the page.
 */
export function useRestoreFocus(card: RefObject<HTMLElement | null>, takesFocus: boolean): void {
  const isWithin = useRef(takesFocus);
  const isWaiting = useRef(false);
  const focusFirst = useCallback(() => {
    const first = card.current?.querySelector<HTMLElement>('[data-first]');
    (first ?? card.current)?.focus();
    isWaiting.current = !first || first.dataset.first === 'loading';
  }, [card]);
  useEffect(() => {
    const follow = ({ target }: FocusEvent): void => {
      isWaiting.current = false;
      isWithin.current = card.current?.contains(target as Node) ?? false;
    };
    // What is loaded appears without a render of the card.
    const observer = new MutationObserver(() => {
      if (isWaiting.current) focusFirst();
    });
    document.addEventListener('focusin', follow);
    if (card.current) observer.observe(card.current, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', follow);
      observer.disconnect();
    };
  }, [card, focusFirst]);
  // Runs after every render.
  useEffect(() => {
    if (isWithin.current && document.activeElement === document.body) focusFirst();
  });
}
