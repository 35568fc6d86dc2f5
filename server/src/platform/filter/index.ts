/**
 * The LoopBack-style `filter`: a list declares its fields, a filter is read against them and becomes one bound,
 * bounded statement. Contexts call `parseFilter`, then `fetchPage`, `fetchCursorPage` or `fetchArray` inside a
 * transaction.
 */
export { bounds } from './bounds.ts';
export { defineList, type FieldDefinition, type List, type ListDefinition } from './list.ts';
export { nearestName, unknownName } from './nearest-name.ts';
export {
  type ArrayPage,
  type CursorPage,
  fetchArray,
  fetchCursorPage,
  fetchPage,
  type OwnCount,
  type Page,
  type PageMeta,
} from './pages.ts';
export { fetchPageOrCursor } from './page-or-cursor.ts';
export { parseFilter, pickFields, type Query } from './parse.ts';
