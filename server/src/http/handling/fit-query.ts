import { z } from 'zod';
import { isStrict, readField } from './read-field.ts';

/** Removes the query parameters that a schema does not know. */
export function fitQuery(schema: unknown, query: object): { query: object; ignored: string[] } {
  const { type } = readField(schema);
  if (!(type instanceof z.ZodObject) || !isStrict(type)) return { query, ignored: [] };
  const isKnown = (name: string): boolean => Object.hasOwn(type.shape, baseOf(name));
  const known = Object.entries(query).filter(([name]) => isKnown(name));
  const ignored = Object.keys(query).filter((name) => !isKnown(name));
  return { query: Object.fromEntries(known), ignored };
}

/** Parts of a parameter, as in `filter[where]`, are never ignored: they change what is returned. */
const baseOf = (name: string): string => name.split('[', 1)[0] ?? name;
