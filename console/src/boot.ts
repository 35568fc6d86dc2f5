import { askEarly } from './api/early.ts';
import { monthSince } from './features/home/month.ts';
import { detectLanguage, loadTexts } from './locales/texts.ts';
import { keptZone } from './shared/time/cached-time-zone.ts';

/**
 * Runs long before the rest of the page, which is a hundred times as large, has come: what that will ask for is on its
 * way by then. Of those who are not logged in nothing is asked.
 */
void loadTexts(detectLanguage());

/** Nobody is logged in there, or not for long. */
const isOutside = /^\/(login|signup|forgotten-password|reset-password)$/.test(location.pathname);
const zone = keptZone();
if (zone !== null && !isOutside) {
  askEarly('/users/me/context');
  if (location.pathname === '/') {
    askEarly('/calls/summary');
    askEarly(`/calls/summary?since=${encodeURIComponent(monthSince(zone))}`);
    askEarly('/integrations/health');
  }
}
