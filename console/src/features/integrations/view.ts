import { isWallTime } from '../../shared/time/zoned-days.ts';
import { deliveryStates, type EventType, eventTypes } from './event-types.ts';

export const tabs = ['deliveries', 'explain', 'secret', 'test', 'settings'] as const;
export type Tab = (typeof tabs)[number];

/** State of the screen, stored in the URL so that it can be shared. */
export interface IntegrationsView {
  /** Id of the integration that is open next to the list. */
  integration?: number;
  /** Open tab; deliveries by default. */
  part?: Tab;
  state?: (typeof deliveryStates)[number];
  type?: EventType;
  page?: number;
  /** Id of the delivery that is open in the list. */
  delivery?: string;
  /** Id of the call to explain, or whose deliveries are listed. */
  call?: string;
  /** Time range in the account's time zone, as `2026-11-15T09:30`. */
  since?: string;
  until?: string;
}

type Search = Record<string, unknown>;

const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const isMoment = (text: unknown): text is string =>
  typeof text === 'string' && text.length === 16 && isWallTime(text);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Removes invalid search parameters. */
export function validateSearch(search: Search): IntegrationsView {
  const { integration, page, delivery, call, since, until } = search;
  const part = tabs.find((each) => each === search.part);
  const state = deliveryStates.find((each) => each === search.state);
  const type = eventTypes.find((each) => each === search.type);
  return {
    ...(isCount(integration) && { integration }),
    ...(part && { part }),
    ...(state && { state }),
    ...(type && { type }),
    ...(isCount(page) && { page }),
    ...(isUuid(delivery) && { delivery }),
    ...(isUuid(call) && { call }),
    ...(isMoment(since) && { since }),
    ...(isMoment(until) && { until }),
  };
}

export interface WizardView {
  /** Id of the integration that was created. */
  integration?: number;
  step?: 'test';
}

export const validateWizardSearch = ({ integration, step }: Search): WizardView => ({
  ...(isCount(integration) && { integration }),
  ...(step === 'test' && { step }),
});
