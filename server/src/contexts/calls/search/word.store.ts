import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Span } from '../../../platform/filter/index.ts';
import { callsOf, sharesOf } from '../own-calls.store.ts';
import type { Term } from './terms.rules.ts';

/** The calls to search: of an account, or of one of its users. */
interface Searched {
  accountId: number;
  callsOf: number | undefined;
}

/** Counts the words that match each term within a span, up to `most` + 1. */
export async function countHits(
  tx: Tx,
  accountId: number,
  terms: Term[],
  span: Span,
  most: number,
): Promise<number[]> {
  const counts = terms.map(
    (term) => sql`(select count(*) from (${hits(accountId, term, span, most)}) h)::int`,
  );
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(tx);
  return rows[0]?.counts ?? [];
}

export interface Hits {
  /** Words read, at most `most` + 1; the ids are complete only if it is at most `most`. */
  count: number;
  ids: string[];
}

/**
 * Returns the first calls of a span with a word that matches the term, and words that match the others; none if the term
 * has more than `most` matches. `offset 0` keeps the planner from testing the calls before they are in order, because
 * the tests end at the limit.
 */
export async function findHits(
  tx: Tx,
  searched: Searched,
  { term, others }: { term: Term; others: Term[] },
  span: Span,
  { most, limit }: { most: number; limit: number },
): Promise<Hits> {
  const { rows } = await sql<Hits>`
    with hits as materialized (${hits(searched.accountId, term, span, most)})
    select (select count(*) from hits)::int as count,
           array(select id from (select distinct id from hits order by id ${direction(span)} offset 0) hits
                  where (select count(*) from hits) <= ${most} and ${matching(searched, others)}
                  limit ${limit}) as ids`.execute(tx);
  return rows[0] ?? { count: 0, ids: [] };
}

/**
 * The words that match a term. The order by word selects the index (account, word, id): the planner does not know how
 * many words begin with a prefix.
 */
function hits(accountId: number, { prefixes, id }: Term, span: Span, most: number): RawBuilder<unknown> {
  const found = prefixes.map(
    (prefix) => sql`
      (select id from call_words where account_id = ${accountId} and word ^@ ${prefix}::text and ${within(span)}
        order by word limit ${most + 1})`,
  );
  const called = sql`(select id from calls where account_id = ${accountId} and id = ${id ?? null}::uuid and ${within(span)})`;
  return sql.join(id === undefined ? found : [...found, called], sql` union all `);
}

export interface Walk {
  /** Calls read. */
  count: number;
  last: string | null;
  ids: string[];
}

/** Reads `size` calls of a span in page order and returns the first with words that match all terms. */
export async function walkCalls(
  tx: Tx,
  searched: Searched,
  terms: Term[],
  span: Span,
  { size, limit }: { size: number; limit: number },
): Promise<Walk> {
  const order = direction(span);
  const { rows } = await sql<Walk>`
    with hits as materialized (${firstCalls(searched, span, size)})
    select (select count(*) from hits)::int as count,
           (select id from hits order by id ${span.descending ? sql`asc` : sql`desc`} limit 1) as last,
           array(select id from (select id from hits order by id ${order} offset 0) hits
                  where ${matching(searched, terms)} limit ${limit}) as ids`.execute(tx);
  return rows[0] ?? { count: 0, last: null, ids: [] };
}

/** Counts the searched calls of a span, up to `most`. */
export async function countCalls(tx: Tx, searched: Searched, span: Span, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${firstCalls(searched, span, most)}) c`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The first searched calls of a span in page order: of the account, or of the user by one index scan for each share. */
function firstCalls({ accountId, callsOf: userId }: Searched, span: Span, size: number): RawBuilder<unknown> {
  const order = direction(span);
  const parts = (sharesOf(userId) ?? [sql<boolean>`true`]).map(
    (share) => sql`
      (select id from calls where account_id = ${accountId} and ${within(span)} and ${share}
        order by id ${order} limit ${size})`,
  );
  return sql`select id from (${sql.join(parts, sql` union all `)}) c order by id ${order} limit ${size}`;
}

/**
 * Tests each hit for words that match the terms, by the index on the call's id, and whether the user sees the call. A
 * scalar subquery is not turned into a join of all words, and `left` keeps the planner from reading all words with the
 * prefix.
 */
function matching({ accountId, callsOf: userId }: Searched, terms: Term[]): RawBuilder<unknown> {
  const tests = terms.map(({ prefixes, id }) => {
    const begins = prefixes.map(
      (prefix) => sql`left(w.word, ${Array.from(prefix).length}::int) = ${prefix}::text`,
    );
    const has = sql`(select true from call_words w where w.account_id = ${accountId} and w.id = hits.id
      and (${sql.join(begins, sql` or `)}) limit 1)`;
    return id === undefined ? has : sql`(hits.id = ${id}::uuid or ${has})`;
  });
  const seen = sql`(select ${callsOf(userId, 'c')} from calls c
    where c.account_id = ${accountId} and c.id = hits.id)`;
  const all = userId === undefined ? tests : [seen, ...tests];
  return all.length === 0 ? sql`true` : sql`${sql.join(all, sql` and `)}`;
}

const within = ({ from, until }: Span) => sql`id >= ${from}::uuid and id < ${until}::uuid`;
const direction = ({ descending }: Span) => (descending ? sql`desc` : sql`asc`);

/** Returns the ids of the account's first and last call within a span. */
export async function findEnds(
  tx: Tx,
  accountId: number,
  span: Span,
): Promise<{ first: string; last: string } | undefined> {
  const calls = sql`from calls where account_id = ${accountId} and ${within(span)} order by id`;
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (select id ${calls} asc limit 1) as first, (select id ${calls} desc limit 1) as last`.execute(tx);
  const [row] = rows;
  return row?.first && row.last ? { first: row.first, last: row.last } : undefined;
}
