/** A constraint as people write it: one line for each key, its value as text. */
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

/** The API takes it flat or under `metadata`, with the same effect. */
export function flatConstraint(constraint: Constraint): Constraint {
  const { metadata, ...flat } = constraint;
  const isNested = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
  return isNested ? { ...flat, ...metadata } : constraint;
}

export const linesOf = (constraint: Constraint): ConstraintLine[] =>
  Object.entries(flatConstraint(constraint)).map(([name, value]) => newLine(name, textOf(value)));

export const constraintOf = (lines: ConstraintLine[]): Constraint =>
  Object.fromEntries(
    lines.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), readValue(value)]),
  );

/** Texts stand as they are, unless they would be read as something else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' && readValue(value) === value ? value : JSON.stringify(value);

/** Numbers, true, false, null and what is in quotes or brackets are read as JSON; all else is a text. */
function readValue(text: string): unknown {
  const trimmed = text.trim();
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}
