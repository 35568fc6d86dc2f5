import { isProblem } from '../../../api/problem.ts';
import type { EventType } from '../event-types.ts';
import type { Change, Integration } from '../queries.ts';
import { type AddressFault, faultOfAddress } from './check-url.ts';
import { type ConstraintLine, constraintOf, linesOf } from './constraint.ts';
import { settingsOf } from './webhook-settings.ts';

/** An integration while somebody writes it. */
export interface Draft {
  gateway: string;
  url: string;
  types: EventType[];
  lines: ConstraintLine[];
}

export interface DraftFaults {
  gateway?: 'empty' | 'taken' | 'long' | undefined;
  url?: AddressFault | undefined;
  types?: 'empty' | undefined;
  lines?: 'tooMuch' | undefined;
}

/** What most receivers want: that somebody answered, and how it ended. */
export const emptyDraft: Draft = {
  gateway: '',
  url: '',
  types: ['channel-answer', 'channel-hangup'],
  lines: [],
};

export const draftOf = (integration: Integration): Draft => ({
  gateway: integration.gateway,
  ...settingsOf(integration),
  lines: linesOf(integration.webhookConstraint),
});

const longestName = 100;

/** Without an id the API changes the one of the same name, so a name that is taken is refused here. */
export function faultsOf(draft: Draft, isLive: boolean, others: Integration[]): DraftFaults {
  const gateway = draft.gateway.trim();
  const isTaken = others.some((other) => other.gateway === gateway);
  const ofGateway =
    (gateway === '' && 'empty') || (isTaken && 'taken') || (gateway.length > longestName && 'long');
  return {
    gateway: ofGateway || undefined,
    url: faultOfAddress(draft.url.trim(), isLive),
    types: draft.types.length === 0 ? 'empty' : undefined,
  };
}

/** What the API alone knows: which addresses are not public, and how much a constraint may hold. */
export function faultsFrom(error: unknown): DraftFaults {
  if (!isProblem(error)) return {};
  const has = (path: string): boolean => error.faults.some((fault) => fault.path.startsWith(path));
  return {
    ...(has('gateway') && { gateway: 'long' as const }),
    ...(has('metadata.webhookUrl') && { url: 'private' as const }),
    ...(has('metadata.webhookTypes') && { types: 'empty' as const }),
    ...(has('webhookConstraint') && { lines: 'tooMuch' as const }),
  };
}

export const isFaultless = (faults: DraftFaults): boolean =>
  Object.values(faults).every((fault) => fault === undefined);

/** Metadata is replaced whole, so that what others keep in it must come along. */
export const changeOf = (draft: Draft, before?: Integration): Change => ({
  ...(before && { id: before.id }),
  gateway: draft.gateway.trim(),
  // A change leaves on, paused or disabled as it was.
  ...(!before && { webhook: true }),
  webhookConstraint: constraintOf(draft.lines),
  metadata: { ...before?.metadata, webhookUrl: draft.url.trim(), webhookTypes: draft.types },
});
