import { type RefObject, useEffect } from 'react';

/** Publishes the height of the phone to the style sheets, so that the space which it takes contains nothing else. */
export function usePhoneSpace(phone: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = phone.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      style.setProperty('--disca-phone-height', `${Math.ceil(height)}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--disca-phone-height');
    };
  }, [phone]);
}
