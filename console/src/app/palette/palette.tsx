import { lazy, Suspense, useEffect, useState } from 'react';

const PaletteDialog = lazy(() =>
  import('./palette-dialog.tsx').then((module) => ({ default: module.PaletteDialog })),
);

const openRequest = 'disca:palette';

export const openPalette = (): void => void window.dispatchEvent(new Event(openRequest));

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens on Ctrl K or ⌘ K anywhere, including in text fields. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (): void => setOpen(true);
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(isMac ? event.metaKey : event.ctrlKey) || event.altKey) return;
      event.preventDefault();
      setOpen((was) => !was);
    };
    window.addEventListener(openRequest, open);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener(openRequest, open);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
  if (!isOpen) return null;
  return (
    <Suspense>
      <PaletteDialog onClose={() => setOpen(false)} />
    </Suspense>
  );
}
