import type { Person } from './people.ts';

type Value = unknown;
type Where = { [key: string]: unknown };

/** Evaluates a filter in TypeScript, as an independent reference for the SQL. Expects valid filters. */
export function matches(person: Person, where: Where): boolean {
  return Object.entries(where).every(([name, test]) => {
    if (name === 'and') return (test as Where[]).every((each) => matches(person, each));
    if (name === 'or') return (test as Where[]).some((each) => matches(person, each));
    const value = read(person, name);
    if (name === 'metadata' && test !== null) return value !== null && contains(value, test);
    if (test === null || typeof test !== 'object') return meets(value, 'eq', test);
    return Object.entries(test).every(([operator, operand]) => meets(value, operator, operand));
  });
}

function read(person: Person, name: string): Value {
  if (name.startsWith('metadata.')) return person.metadata?.[name.slice('metadata.'.length)] ?? null;
  const column = { mail: 'email', date: 'born_at', bornAt: 'born_at' }[name] ?? name;
  const value = person[column as keyof Person];
  return value instanceof Date ? value.toISOString() : value;
}

function meets(value: Value, operator: string, operand: unknown): boolean {
  switch (operator) {
    case 'eq':
      return operand === null ? value === null : compare(value, operand) === 0;
    case 'neq':
      return !meets(value, 'eq', operand);
    case 'gt':
      return (compare(value, operand) ?? 0) > 0;
    case 'gte':
      return (compare(value, operand) ?? -1) >= 0;
    case 'lt':
      return (compare(value, operand) ?? 0) < 0;
    case 'lte':
      return (compare(value, operand) ?? 1) <= 0;
    case 'between': {
      const [from, to] = operand as [unknown, unknown];
      return meets(value, 'gte', from) && meets(value, 'lte', to);
    }
    case 'inq':
      return (operand as unknown[]).some((each) => meets(value, 'eq', each));
    case 'nin':
      return !meets(value, 'inq', operand);
    case 'exists':
      return (value !== null) === operand;
    case 'like':
    case 'ilike':
      return value !== null && toRegExp(operand as string, operator === 'ilike').test(asText(value));
    case 'nlike':
    case 'nilike':
      return !meets(value, operator.slice(1), operand);
    default:
      throw new Error(`Unknown operator ${operator} in the reference evaluation.`);
  }
}

const asText = (value: Value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns a negative, zero or positive number; undefined if incomparable. A bare date equals its whole day. */
function compare(value: Value, operand: unknown): number | undefined {
  if (value === null || typeof value !== typeof operand) return undefined;
  if (typeof operand === 'string' && typeof value === 'string') {
    const shown = /^\d{4}-\d{2}-\d{2}$/.test(operand) ? value.slice(0, 10) : value;
    return shown < operand ? -1 : shown > operand ? 1 : 0;
  }
  return Number(value) - Number(operand);
}

function toRegExp(pattern: string, ignoresCase: boolean): RegExp {
  const source = pattern.replace(/\\(.)|[%_]|[^\\%_]/gsu, (found, escaped: string | undefined) => {
    if (found === '%') return '.*';
    if (found === '_') return '.';
    return (escaped ?? found).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, ignoresCase ? 'isu' : 'su');
}

function contains(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return Array.isArray(value) && expected.every((each) => value.some((one) => contains(one, each)));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return Object.entries(expected).every(
      ([key, each]) => Object.hasOwn(value, key) && contains((value as Where)[key], each),
    );
  }
  return value === expected;
}
