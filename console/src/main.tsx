import './app/typeface.css';
import './app/library.css';
import './app/global.css';
import './app/touch.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startLanguages } from './locales/language.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

await Promise.all([startLanguages(), loadedSheets()]);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

/** Waits for the style sheets that the page has added without blocking its first paint. One that fails is not awaited. */
async function loadedSheets(): Promise<void> {
  const pending = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => sheet === null,
  );
  await Promise.all(
    pending.map(
      (link) =>
        new Promise<void>((resolve) => {
          for (const end of ['load', 'error']) link.addEventListener(end, () => resolve(), { once: true });
        }),
    ),
  );
}
