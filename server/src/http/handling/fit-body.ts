import { z } from 'zod';
import type { Handling } from '../../platform/caller.ts';
import { isNoId } from '../../platform/schemas.ts';
import { convertScalar } from './convert-scalar.ts';
import { isStrict, readField } from './read-field.ts';

interface Fitting {
  handling: Handling;
  /** In a creation, null and empty texts count as absent. */
  isCreation: boolean;
  ignored: string[];
}

/**
 * Fits a body to its schema: converts scalars to the types of their fields, reads null and empty texts of optional fields as
 * absent or cleared and, if the request is lenient, removes unknown fields. Whatever does not fit is left to the
 * validation. Values of fields without a declared form, such as metadata, stay as they are.
 */
export function fitBody(
  schema: unknown,
  body: unknown,
  { method, handling }: { method: string; handling: Handling },
): { body: unknown; ignored: string[] } {
  const { type } = readField(schema);
  const isCreation = method === 'POST' || (takesId(type) && isNoId((body as { id?: unknown } | null)?.id));
  const ignored: string[] = [];
  return { body: fitValue(type, body, '', { handling, isCreation, ignored }), ignored };
}

const takesId = (type: unknown): boolean => type instanceof z.ZodObject && 'id' in type.shape;

function fitValue(type: unknown, given: unknown, path: string, fitting: Fitting): unknown {
  if (type instanceof z.ZodArray && Array.isArray(given)) {
    const element = readField(type.element).type;
    return given.map((each, index) => fitValue(element, each, `${path}${index}.`, fitting));
  }
  if (type instanceof z.ZodObject && typeof given === 'object' && given !== null && !Array.isArray(given))
    return fitObject(type, given, path, fitting);
  return convertScalar(type, given);
}

function fitObject(type: z.ZodObject, given: object, path: string, fitting: Fitting): object {
  const fields = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (Object.hasOwn(type.shape, name))
      return fitField(type.shape[name], value, `${path}${name}.`, fitting).map((fitted) => [name, fitted]);
    if (!isStrict(type) || fitting.handling === 'strict') return [[name, value]];
    fitting.ignored.push(path + name);
    return [];
  });
  return Object.fromEntries(fields);
}

/** Returns the fitted value, or nothing if it counts as absent. */
function fitField(schema: unknown, given: unknown, path: string, fitting: Fitting): unknown[] {
  const { type, isOptional, isNullable } = readField(schema);
  if (!isOptional || (given !== null && given !== '')) return [fitValue(type, given, path, fitting)];
  if (isNullable) return [null];
  return fitting.isCreation ? [] : [given];
}
