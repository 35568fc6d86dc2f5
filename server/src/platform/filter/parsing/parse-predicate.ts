import { bounds } from '../bounds.ts';
import {
  type Comparison,
  type Condition,
  comparisons,
  type Json,
  type Operator,
  patterns,
  type Scalar,
  type Target,
} from '../condition.ts';
import type { Faults } from '../faults.ts';
import type { Field, FieldType } from '../list.ts';
import { unknownName } from '../nearest-name.ts';
import { looseEquality } from './loose-equality.ts';
import type { Period } from './times.ts';
import { checkBoolean, checkText, checkValue, isStorable } from './values.ts';

const equality: readonly Operator[] = ['eq', 'neq', 'inq', 'nin', 'exists'];
const ordered: readonly Operator[] = [...comparisons, 'between', 'inq', 'nin', 'exists'];
const operatorsOf: Record<FieldType, readonly Operator[]> = {
  text: [...ordered, ...patterns],
  number: ordered,
  integer: ordered,
  timestamp: ordered,
  boolean: equality,
  uuid: equality,
  enum: equality,
  json: [...equality, ...patterns],
  tags: equality,
};

/** What is needed to parse the values of a filter. */
export interface Reading {
  faults: Faults;
  /** Returns the day or second of a time without zone; undefined for any other value. */
  periodOf: (value: unknown, field: Field) => Period | undefined;
}

/** Parses the predicate of one field: a value, null, an object of operators, or a JSON object to contain. */
export function parsePredicate(reading: Reading, target: Target, test: unknown, path: string): Condition[] {
  if (test === null) return [{ kind: 'null', target, isNull: true }];
  if (Array.isArray(test)) {
    reading.faults.add(
      path,
      'INVALID_VALUE',
      `\`${path}\` must not be an array. Use \`inq\` for several values.`,
    );
    return [];
  }
  if (target.field.type === 'json' && target.key === undefined)
    return parseContainment(reading, target, test, path);
  if (typeof test !== 'object') {
    const equal = parseOperator(reading, target, 'eq', test, path);
    return listOf(equal && looseEquality(equal));
  }
  const entries = Object.entries(test);
  if (entries.length === 0)
    reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` must name at least one operator.`);
  return entries.flatMap(([name, value]) => {
    const operator = resolveOperator(reading, target, name, `${path}.${name}`);
    return operator === undefined
      ? []
      : listOf(parseOperator(reading, target, operator, value, `${path}.${name}`));
  });
}

const listOf = (condition: Condition | undefined) => (condition === undefined ? [] : [condition]);

function resolveOperator(reading: Reading, target: Target, name: string, path: string): Operator | undefined {
  const operators = operatorsOf[target.field.type];
  const operator = operators.find((each) => each === name);
  if (operator !== undefined) return operator;
  if (name === 'regexp') {
    return reading.faults.add(
      path,
      'UNKNOWN_OPERATOR',
      'The operator `regexp` is not supported. Use `ilike` instead.',
    );
  }
  return reading.faults.add(
    path,
    'UNKNOWN_OPERATOR',
    unknownName(`operator of \`${target.field.name}\`:`, name, operators),
  );
}

function parseOperator(
  reading: Reading,
  target: Target,
  operator: Operator,
  value: unknown,
  path: string,
): Condition | undefined {
  switch (operator) {
    case 'exists': {
      const checked = checkBoolean(value);
      if ('value' in checked) return { kind: 'null', target, isNull: !checked.value };
      return reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` ${checked.problem}.`);
    }
    case 'between':
      return parseBetween(reading, target, value, path);
    case 'inq':
    case 'nin': {
      const values = parseValues(reading, target, value, path);
      if (values === undefined) return undefined;
      const inside: Condition = { kind: 'in', target, values };
      return operator === 'inq' ? inside : { kind: 'not', part: inside };
    }
    case 'like':
    case 'ilike':
    case 'nlike':
    case 'nilike':
      return parsePattern(reading, target, operator, value, path);
    default:
      return parseComparison(reading, target, operator, value, path);
  }
}

function parseComparison(
  reading: Reading,
  target: Target,
  operator: Comparison,
  value: unknown,
  path: string,
): Condition | undefined {
  if (value === null && (operator === 'eq' || operator === 'neq')) {
    return { kind: 'null', target, isNull: operator === 'eq' };
  }
  const period = target.field.type === 'timestamp' ? reading.periodOf(value, target.field) : undefined;
  if (period !== undefined) return comparePeriod(target, operator, period);
  const checked = checkValue(target.field, value);
  if ('value' in checked) return { kind: 'compare', target, operator, value: checked.value };
  return reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` ${checked.problem}.`);
}

/** Compares with a period: equal is within it, greater after it, less before it. */
function comparePeriod(target: Target, operator: Comparison, period: Period): Condition {
  const compare = (with_: Comparison, value: string): Condition => ({
    kind: 'compare',
    target,
    operator: with_,
    value,
  });
  const within: Condition = {
    kind: 'and',
    parts: [compare('gte', period.start), compare('lt', period.next)],
  };
  switch (operator) {
    case 'eq':
      return within;
    case 'neq':
      return { kind: 'not', part: within };
    case 'gt':
      return compare('gte', period.next);
    case 'gte':
      return compare('gte', period.start);
    case 'lt':
      return compare('lt', period.start);
    case 'lte':
      return compare('lt', period.next);
  }
}

function parseBetween(reading: Reading, target: Target, value: unknown, path: string): Condition | undefined {
  if (!Array.isArray(value) || value.length !== 2) {
    return reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` must be an array of two values.`);
  }
  const from = parseComparison(reading, target, 'gte', value[0], `${path}[0]`);
  const to = parseComparison(reading, target, 'lte', value[1], `${path}[1]`);
  return from === undefined || to === undefined ? undefined : { kind: 'and', parts: [from, to] };
}

function parseValues(reading: Reading, target: Target, value: unknown, path: string): Scalar[] | undefined {
  if (!Array.isArray(value))
    return reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` must be an array.`);
  if (value.length > bounds.values) {
    return reading.faults.add(path, 'TOO_MANY', `\`${path}\` may have at most ${bounds.values} values.`);
  }
  return value.flatMap((each, index) => {
    const checked = checkValue(target.field, each);
    if ('value' in checked) return [checked.value];
    reading.faults.add(`${path}[${index}]`, 'INVALID_VALUE', `\`${path}[${index}]\` ${checked.problem}.`);
    return [];
  });
}

function parsePattern(
  reading: Reading,
  target: Target,
  operator: 'like' | 'ilike' | 'nlike' | 'nilike',
  value: unknown,
  path: string,
): Condition | undefined {
  const checked = checkText(value);
  if ('problem' in checked)
    return reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` ${checked.problem}.`);
  const trailing = /\\*$/.exec(checked.value)?.[0].length ?? 0;
  if (trailing % 2 === 1) {
    return reading.faults.add(
      path,
      'INVALID_VALUE',
      `\`${path}\` must not end with a single backslash, which escapes nothing.`,
    );
  }
  const isNegative = operator === 'nlike' || operator === 'nilike';
  const positive = operator === 'like' || operator === 'nlike' ? 'like' : 'ilike';
  const part: Condition = { kind: 'pattern', target, operator: positive, value: checked.value };
  return isNegative ? { kind: 'not', part } : part;
}

function parseContainment(reading: Reading, target: Target, test: unknown, path: string): Condition[] {
  if (typeof test !== 'object' || test === null) {
    reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` must be an object of keys and values to contain.`);
    return [];
  }
  const problem = jsonProblem(test as Json, 1);
  if (problem === undefined) return [{ kind: 'contains', target, value: test as { [key: string]: Json } }];
  reading.faults.add(path, 'INVALID_VALUE', `\`${path}\` ${problem}.`);
  return [];
}

function jsonProblem(value: Json, depth: number): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : 'contains text that cannot be stored';
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'contains a number that is too large';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > bounds.depth) return `may be at most ${bounds.depth} levels deep`;
  if (!Object.keys(value).every(isStorable)) return 'contains a key that cannot be stored';
  for (const each of Object.values(value)) {
    const problem = jsonProblem(each, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
