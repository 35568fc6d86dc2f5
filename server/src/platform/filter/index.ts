/**
 * The LoopBack-style `filter`. A list declares its fields; a filter is validated against them and becomes parameterized,
 * bounded statements. Contexts call `parseFilter`, then, inside a transaction, `forAccount` and a fetch function; the
 * transaction keeps the list's statement timeout until it ends.
 */
export { type Condition, conjuncts, mentionsField } from './condition.ts';
export { type Candidates, fetchFoundPage, type Span } from './found-page.ts';
export { defineList, type List, type ListDefinition } from './list.ts';
export { nearestName } from './nearest-name.ts';
export { fetchPageOrCursor } from './page-or-cursor.ts';
export { fetchArray, fetchCursorPage, fetchPage, type OwnCount } from './pages.ts';
export { parseFilter, parseQuery, pickFields, type Query } from './parse.ts';
export { joinBrackets } from './parsing/brackets.ts';
export { requireSortWindow } from './sort-window.ts';
export { findTimeZone } from './time-zone.ts';
