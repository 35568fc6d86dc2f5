/**
 * The LoopBack-style `filter`: a list declares its fields, a filter is read against them and becomes one bound,
 * bounded statement. Contexts call `parseFilter`, then `fetchPage`, `fetchCursorPage` or `fetchArray` inside a
 * transaction.
 */
export { defineList, type List } from './list.ts';
export { nearestName } from './nearest-name.ts';
export { fetchPageOrCursor } from './page-or-cursor.ts';
export { fetchArray, fetchCursorPage, fetchPage, type OwnCount } from './pages.ts';
export { parseFilter, pickFields, type Query } from './parse.ts';
