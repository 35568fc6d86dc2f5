import { fetchEarly } from './api/early.ts';
import { monthSince } from './features/home/month.ts';
import { detectLanguage, loadTexts } from './locales/texts.ts';
import { cachedTimeZone } from './shared/time/cached-time-zone.ts';

/**
 * Starts the requests that the main bundle needs while that bundle, a hundred times larger, is still loading. Makes no
 * request when no user seems to be logged in.
 */
void loadTexts(detectLanguage());

/** Pages for users who are not logged in. */
const isOutside =
  /^\/(login|signup|forgotten-password|reset-password|undo-email|invitation|sso\/callback)$/.test(
    location.pathname,
  );
const zone = cachedTimeZone();
if (zone !== null && !isOutside) {
  fetchEarly('/users/me/context');
  if (location.pathname === '/') {
    fetchEarly('/calls/summary');
    fetchEarly(`/calls/summary?since=${encodeURIComponent(monthSince(zone))}`);
    fetchEarly('/integrations/health');
  }
}
