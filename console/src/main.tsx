import './app/library.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { startLanguages } from './locales/language.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

await startLanguages();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
