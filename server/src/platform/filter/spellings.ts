import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { fold } from '../fold.ts';
import { type Condition, conjuncts } from './condition.ts';
import { withinTime } from './expense.ts';
import type { List } from './list.ts';
import type { Query } from './parse.ts';
import { equalToAny } from './parsing/loose-equality.ts';
import type { Source } from './scans.ts';

/** Index probes for one value. Each finds a spelling or skips all values before the next possible one. */
const maxProbes = 30;

/**
 * Replaces a folded equality of an indexed field by equality with the spellings that occur, because an index on the
 * folded text could not be used under row-level security: `lower` is not leakproof.
 */
export async function withSpellings<DB, TB extends keyof DB, Row>(
  executor: QueryExecutorProvider,
  list: List,
  source: Source<DB, TB, Row>,
  query: Query,
): Promise<Query> {
  const required = conjuncts(query.where);
  // One is enough to find the rows; the others are checked in them.
  const sought = required.find(isIndexedIn(list));
  if (sought === undefined) return query;
  const { target, value } = sought;
  const probe = (from: string) => firstFrom(executor, sql`${source}`, target.field.column, from);
  const spellings = await withinTime(executor, list, () => findSpellings(fold(value), probe));
  if (spellings === undefined) return query;
  const spelled = equalToAny(target, spellings);
  return {
    ...query,
    where: { kind: 'and', parts: required.map((each) => (each === sought ? spelled : each)) },
  };
}

type Folded = Extract<Condition, { kind: 'folded' }>;

const isIndexedIn =
  ({ scan }: List) =>
  (condition: Condition): condition is Folded =>
    condition.kind === 'folded' && scan !== undefined && scan.seeks.includes(condition.target.field.name);

/** Returns the first value at or after a text, in index order. */
async function firstFrom(
  executor: QueryExecutorProvider,
  source: RawBuilder<unknown>,
  column: string,
  from: string,
): Promise<string | undefined> {
  const ref = sql.ref(column);
  const { rows } = await sql<{ value: string }>`
    select ${ref} as value from (${source}) as list where ${ref} >= ${from}::text order by ${ref} limit 1`.execute(
    executor,
  );
  return rows[0]?.value;
}

/** Returns all values that are equal to a folded text; undefined if that takes too many probes. */
export async function findSpellings(
  folded: string,
  probe: (from: string) => Promise<string | undefined>,
): Promise<string[] | undefined> {
  const spellings: string[] = [];
  // Capitals precede small letters, so the first spelling is the one in capitals.
  let from = isAscii(folded) ? folded.toUpperCase() : undefined;
  for (let probes = 0; from !== undefined; probes += 1) {
    if (probes === maxProbes) return undefined;
    const value = await probe(from);
    if (value === undefined) break;
    const isMatch = value.toLowerCase() === folded;
    if (isMatch) spellings.push(value);
    from = nextSpelling(folded, isMatch ? `${value} ` : value);
  }
  return spellings;
}

const isAscii = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text);

/** Returns the first spelling at or after a value: it shares as many letters as possible, then continues higher. */
function nextSpelling(folded: string, value: string): string | undefined {
  for (let shared = sharedLength(folded, value); shared >= 0; shared -= 1) {
    const small = folded[shared];
    if (small === undefined) continue;
    const after = value[shared] ?? '';
    const next = [small.toUpperCase(), small].find((letter) => letter > after);
    if (next !== undefined) return value.slice(0, shared) + next + folded.slice(shared + 1).toUpperCase();
  }
  return undefined;
}

function sharedLength(folded: string, value: string): number {
  let length = 0;
  while (length < folded.length && folded[length] === value[length]?.toLowerCase()) length += 1;
  return length;
}
