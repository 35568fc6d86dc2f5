import { bounds } from '../bounds.ts';
import type { Condition, Target } from '../condition.ts';
import type { List } from '../list.ts';
import { unknownName } from '../nearest-name.ts';
import { parsePredicate, type Reading } from './parse-predicate.ts';
import { isStorable } from './values.ts';

interface Context extends Reading {
  list: List;
  conditionCount: number;
}

export function parseWhere(list: List, reading: Reading, where: unknown, path: string): Condition {
  const context = { ...reading, list, conditionCount: 0 };
  const condition = parseLevel(context, where, path, 1);
  if (context.conditionCount > bounds.conditions) {
    reading.faults.add(path, 'TOO_MANY', `A filter may have at most ${bounds.conditions} conditions.`);
  }
  return condition;
}

function parseLevel(context: Context, where: unknown, path: string, depth: number): Condition {
  const everything: Condition = { kind: 'and', parts: [] };
  if (!isObject(where)) {
    context.faults.add(path, 'INVALID_VALUE', `\`${path}\` must be an object.`);
    return everything;
  }
  if (depth > bounds.depth) {
    context.faults.add(path, 'TOO_DEEP', `A filter may be at most ${bounds.depth} levels deep.`);
    return everything;
  }
  const parts = Object.entries(where).flatMap(([key, value]) =>
    key === 'and' || key === 'or'
      ? [parseGroup(context, key, value, `${path}.${key}`, depth)]
      : parseField(context, key, value, `${path}.${key}`),
  );
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'and', parts };
}

/** Parses a group. An empty `and` matches everything, an empty `or` nothing. */
function parseGroup(
  context: Context,
  kind: 'and' | 'or',
  value: unknown,
  path: string,
  depth: number,
): Condition {
  if (!Array.isArray(value)) {
    context.faults.add(path, 'INVALID_VALUE', `\`${path}\` must be an array of conditions.`);
    return { kind, parts: [] };
  }
  const parts = value.map((each, index) => parseLevel(context, each, `${path}[${index}]`, depth + 1));
  return { kind, parts };
}

function parseField(context: Context, name: string, value: unknown, path: string): Condition[] {
  const target = resolveTarget(context, name, path);
  if (target === undefined) return [];
  const conditions = parsePredicate(context, target, value, path);
  context.conditionCount += conditions.length;
  return conditions;
}

function resolveTarget({ list, faults }: Context, name: string, path: string): Target | undefined {
  const dot = name.indexOf('.');
  const field =
    list.fieldsByName.get(name) ?? (dot < 0 ? undefined : list.fieldsByName.get(name.slice(0, dot)));
  const key = dot < 0 || list.fieldsByName.has(name) ? undefined : name.slice(dot + 1);
  if (field === undefined || field.filterable === false || (key !== undefined && field.type !== 'json')) {
    return faults.add(path, 'UNKNOWN_FIELD', unknownName('field', name, filterableNames(list)));
  }
  if (key === undefined) return { field };
  if (key === '' || !isStorable(key)) {
    return faults.add(path, 'INVALID_VALUE', `\`${field.name}.\` must be followed by a key.`);
  }
  return { field, key };
}

function filterableNames(list: List): string[] {
  return [...list.fieldsByName].filter(([, field]) => field.filterable !== false).map(([name]) => name);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
