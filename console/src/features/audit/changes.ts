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
    .map((name) => showField(name, before?.[name], after?.[name]))
    .filter((change) => change.before !== change.after);
}

const microsSuffix = 'Micros';

/** Amounts in millionths of a real are shown in reais. */
function showField(name: string, before: unknown, after: unknown): Change {
  if (!name.endsWith(microsSuffix)) return { name, before: show(before), after: show(after) };
  return {
    name: name.slice(0, -microsSuffix.length),
    before: show(reais(before)),
    after: show(reais(after)),
  };
}

const reais = (value: unknown): unknown => (typeof value === 'number' ? value / 1_000_000 : value);

const show = (value: unknown): string | undefined =>
  value === undefined || value === null || value === ''
    ? undefined
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
