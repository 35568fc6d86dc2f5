/**
 * The LoopBack-style `filter`: a list declares its fields, a filter is read against them and becomes bound and
 * bounded statements. Contexts call `parseFilter`, then one of the fetches inside a transaction, which keeps the
 * list's statement timeout to its end.
 */
export { type Condition, conjuncts, mentionsField } from './condition.ts';
export { defineList, type List, type ListDefinition } from './list.ts';
export { nearestName } from './nearest-name.ts';
export { fetchPageOrCursor } from './page-or-cursor.ts';
export { fetchArray, fetchCursorPage, fetchPage, type OwnCount } from './pages.ts';
export { parseFilter, pickFields, type Query } from './parse.ts';
