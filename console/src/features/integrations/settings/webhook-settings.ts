import { type EventType, eventTypes } from '../event-types.ts';
import type { Integration } from '../queries.ts';

/** What delivery reads of an integration, from the metadata in which the API keeps it. */
export function settingsOf({ metadata }: Pick<Integration, 'metadata'>): { url: string; types: EventType[] } {
  const { webhookUrl, webhookTypes } = metadata;
  const listed: unknown[] = Array.isArray(webhookTypes) ? webhookTypes : [];
  return {
    url: typeof webhookUrl === 'string' ? webhookUrl : '',
    types: eventTypes.filter((type) => listed.includes(type)),
  };
}

/** Where it goes, short enough for a line. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
