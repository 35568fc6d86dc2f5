/** One metadata constraint as edited: key and value as text. */
export interface ConstraintLine {
  key: number;
  name: string;
  value: string;
}

type Constraint = Record<string, unknown>;

let keys = 0;
export const newLine = (name = '', value = ''): ConstraintLine => {
  keys += 1;
  return { key: keys, name, value };
};

/** The API accepts constraints flat or under `metadata`, with the same effect. */
export function flatConstraint(constraint: Constraint): Constraint {
  const { metadata, ...flat } = constraint;
  const isNested = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  return isNested ? { ...flat, ...metadata } : constraint;
}

export const toLines = (constraint: Constraint): ConstraintLine[] =>
  Object.entries(flatConstraint(constraint)).map(([name, value]) => newLine(name, toText(value)));

export const toConstraint = (lines: ConstraintLine[]): Constraint =>
  Object.fromEntries(
    lines.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), readValue(value)]),
  );

/** Shows strings as they are, unless they would be parsed as JSON. */
export const toText = (value: unknown): string =>
  typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value);

/** Parses numbers, true, false, null, and values in quotes or brackets as JSON; anything else is a string. */
function readValue(text: string): unknown {
  const trimmed = text.trim();
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}
