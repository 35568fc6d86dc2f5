import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Calls `start` when the page is opened with this hash, as the palette does, and removes the hash from the address. */
export function usePageAction(hash: string, start: () => void): void {
  const { history } = useRouter();
  const location = useLocation();
  const isAsked = location.hash === hash;
  useEffect(() => {
    if (!isAsked) return;
    history.replace(`${location.pathname}${location.searchStr}`);
    start();
  });
}
