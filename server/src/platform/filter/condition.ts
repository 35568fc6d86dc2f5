import type { Field } from './list.ts';

export const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const;
export const patterns = ['like', 'nlike', 'ilike', 'nilike'] as const;
export const operators = [...comparisons, 'between', 'inq', 'nin', ...patterns, 'exists'] as const;

export type Comparison = (typeof comparisons)[number];
export type Operator = (typeof operators)[number];

export type Scalar = string | number | boolean;
export type Json = Scalar | null | Json[] | { [key: string]: Json };

/** The field of a predicate; for `metadata.<key>` the key is set and values are JSON. */
export interface Target {
  field: Field;
  key?: string;
}

/** A validated `where`, with aliases, dates and shorthands resolved. */
export type Condition =
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; target: Target; operator: Comparison; value: Scalar }
  /** Equal without case and accents. */
  | { kind: 'folded'; target: Target; value: string }
  | { kind: 'null'; target: Target; isNull: boolean }
  | { kind: 'in'; target: Target; values: Scalar[] }
  | { kind: 'pattern'; target: Target; operator: 'like' | 'ilike'; value: string }
  | { kind: 'contains'; target: Target; value: { [key: string]: Json } };

export function mentionsField(condition: Condition, name: string): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some((part) => mentionsField(part, name));
    case 'not':
      return mentionsField(condition.part, name);
    default:
      return condition.target.field.name === name;
  }
}

/** Returns the conditions that every match satisfies; index seeks are chosen among them. */
export function conjuncts(condition: Condition): Condition[] {
  return condition.kind === 'and' ? condition.parts.flatMap(conjuncts) : [condition];
}
