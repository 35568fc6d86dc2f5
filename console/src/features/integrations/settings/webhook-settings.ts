import { type EventType, eventTypes } from '../event-types.ts';
import type { Integration } from '../queries.ts';

/** Reads the webhook URL and event types from the metadata, where the API stores them. */
export function readSettings({ metadata }: Pick<Integration, 'metadata'>): {
  url: string;
  types: EventType[];
} {
  const { webhookUrl, webhookTypes } = metadata;
  const listed: unknown[] = Array.isArray(webhookTypes) ? webhookTypes : [];
  return {
    url: typeof webhookUrl === 'string' ? webhookUrl : '',
    types: eventTypes.filter((type) => listed.includes(type)),
  };
}

export const urlHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
