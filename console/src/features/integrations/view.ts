import { isWallTime } from '../../shared/time/zoned-days.ts';
import { deliveryStates, type EventType, eventTypes } from './event-types.ts';

export const parts = ['deliveries', 'explain', 'secret', 'test', 'settings'] as const;
export type Part = (typeof parts)[number];

/** What is looked at. It is kept in the address, so that a view can be sent to somebody else. */
export interface IntegrationsView {
  /** The integration that is open beside the list. */
  integration?: number;
  /** Which part of it; its deliveries unless said. */
  part?: Part;
  state?: (typeof deliveryStates)[number];
  type?: EventType;
  page?: number;
  /** The delivery that is open in the list. */
  delivery?: string;
  /** The call that is asked about. */
  call?: string;
  /** A stretch of time by the account's clock, as `2026-11-15T09:30`. */
  since?: string;
  until?: string;
}

type Search = Record<string, unknown>;

const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const isMoment = (text: unknown): text is string =>
  typeof text === 'string' && text.length === 16 && isWallTime(text);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** All that has a meaning, of what somebody may have typed into the address. */
export function keptSearch(search: Search): IntegrationsView {
  const { integration, page, delivery, call, since, until } = search;
  const part = parts.find((each) => each === search.part);
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
  /** The integration that was created. */
  integration?: number;
  step?: 'test';
}

export const keptWizardSearch = ({ integration, step }: Search): WizardView => ({
  ...(isCount(integration) && { integration }),
  ...(step === 'test' && { step }),
});
