import { msOfId, uuidv7 } from '../../../platform/ids.ts';
import { partyOf } from '../../../platform/party.ts';
import { readPhone } from '../../../platform/phone.ts';
import type { UnindexedCall } from '../search/indexing.store.ts';
import type { FilledContact } from './contact.store.ts';

/**
 * Returns the contacts that the metadata of calls describes: one for each account and number, in the order of the
 * numbers, so that two workers lock them in the same order. Later calls come last and override earlier ones.
 */
export function contactsOfCalls(
  calls: Pick<UnindexedCall, 'id' | 'account_id' | 'to' | 'metadata'>[],
): FilledContact[] {
  const found = new Map<string, FilledContact>();
  for (const call of calls.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const party = isObject(call.metadata) ? partyOf(call.metadata) : undefined;
    const reading = party && readPhone(`+${call.to}`);
    if (party === undefined || reading?.kind !== 'number') continue;
    const key = `${call.account_id} ${reading.digits}`;
    const before = found.get(key);
    const at = new Date(msOfId(call.id));
    found.set(key, {
      accountId: call.account_id,
      id: before?.id ?? uuidv7(at),
      number: reading.digits,
      name: oneLine(party.name) ?? before?.name ?? null,
      deal: oneLine(party.deal) ?? before?.deal ?? null,
      at,
    });
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, contact]) => (contact.name === null && contact.deal === null ? [] : [contact]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Metadata may contain line breaks and other control characters; names do not. */
const oneLine = (text: string | undefined): string | undefined =>
  text?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() || undefined;
