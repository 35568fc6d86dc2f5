import { isProblem } from '../../../api/problem.ts';
import type { EventType } from '../event-types.ts';
import type { Change, Integration } from '../queries.ts';
import { checkUrl, type UrlFault } from './check-url.ts';
import { type ConstraintLine, toConstraint, toLines } from './constraint.ts';
import { readSettings } from './webhook-settings.ts';

/** An integration while it is being edited. */
export interface Draft {
  gateway: string;
  url: string;
  types: EventType[];
  lines: ConstraintLine[];
}

export interface DraftFaults {
  gateway?: 'empty' | 'taken' | 'long' | undefined;
  url?: UrlFault | undefined;
  types?: 'empty' | undefined;
  lines?: 'tooMuch' | undefined;
}

/** Defaults to the events most receivers need: call answered and call ended. */
export const emptyDraft: Draft = {
  gateway: '',
  url: '',
  types: ['channel-answer', 'channel-hangup'],
  lines: [],
};

export const toDraft = (integration: Integration): Draft => ({
  gateway: integration.gateway,
  ...readSettings(integration),
  lines: toLines(integration.webhookConstraint),
});

const maxNameLength = 100;

/** Validates a draft. Rejects duplicate names: without an id the API would update the integration of that name. */
export function validateDraft(draft: Draft, isLive: boolean, others: Integration[]): DraftFaults {
  const gateway = draft.gateway.trim();
  const isTaken = others.some((other) => other.gateway === gateway);
  const ofGateway =
    (gateway === '' && 'empty') || (isTaken && 'taken') || (gateway.length > maxNameLength && 'long');
  return {
    gateway: ofGateway || undefined,
    url: checkUrl(draft.url.trim(), isLive),
    types: draft.types.length === 0 ? 'empty' : undefined,
  };
}

/** Extracts errors that only the API can detect: private addresses and oversized constraints. */
export function apiFaults(error: unknown): DraftFaults {
  if (!isProblem(error)) return {};
  const has = (path: string): boolean => error.faults.some((fault) => fault.path.startsWith(path));
  return {
    ...(has('gateway') && { gateway: 'long' as const }),
    ...(has('metadata.webhookUrl') && { url: 'private' as const }),
    ...(has('metadata.webhookTypes') && { types: 'empty' as const }),
    ...(has('webhookConstraint') && { lines: 'tooMuch' as const }),
  };
}

export const isValid = (faults: DraftFaults): boolean =>
  Object.values(faults).every((fault) => fault === undefined);

/** Builds the request. Metadata is replaced as a whole, so keys of other clients are preserved. */
export const toChange = (draft: Draft, before?: Integration): Change => ({
  ...(before && { id: before.id }),
  gateway: draft.gateway.trim(),
  // Edits keep the state: on, paused or disabled.
  ...(!before && { webhook: true }),
  webhookConstraint: toConstraint(draft.lines),
  metadata: { ...before?.metadata, webhookUrl: draft.url.trim(), webhookTypes: draft.types },
});
