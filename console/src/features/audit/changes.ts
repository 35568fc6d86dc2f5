import type { AuditEntry } from './queries.ts';

export interface Change {
  name: string;
  /** Undefined if the field was empty or did not exist. */
  before: string | undefined;
  after: string | undefined;
}

/** Returns the changed fields of an entry, in the order of the log. Empty values are not shown. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, before: show(before?.[name]), after: show(after?.[name]) }))
    .filter((change) => change.before !== change.after);
}

const show = (value: unknown): string | undefined =>
  value === undefined || value === null || value === ''
    ? undefined
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
