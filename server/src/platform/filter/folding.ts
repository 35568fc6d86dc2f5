import { type RawBuilder, sql } from 'kysely';
import { fold } from '../fold.ts';

/**
 * True for texts that are equal without case and accents. Folding costs several times as much as a comparison, so it
 * comes after the exact text and only for texts that begin with the same letter, or with one outside ASCII.
 */
export function equalFolded(column: RawBuilder<unknown>, value: string): RawBuilder<boolean> {
  const first = fold(value).codePointAt(0) ?? 0;
  const initials = [first, String.fromCodePoint(first).toUpperCase().codePointAt(0) ?? 0];
  return sql<boolean>`(${column} = ${value}::text or
    (ascii(${column}) > 127 or ascii(${column}) = any(${initials}::int[])) and
    ${foldSql(column)} = ${foldSql(sql`${value}::text`)})`;
}

const foldSql = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;
