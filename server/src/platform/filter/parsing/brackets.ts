import { parse } from 'qs';
import { bounds } from '../bounds.ts';
import { invalidFilter } from '../faults.ts';

type Parameters = Record<string, unknown>;

const wellFormed = /^filter(?:\[[^[\]]*\])+$/;

/**
 * Joins the parameters of a filter in bracket form, such as `filter[where][ramal]=1000`, into one JSON text, the other
 * form of a filter. Their values are texts.
 */
export function joinBrackets(query: Parameters): Parameters {
  const keys = Object.keys(query).filter((key) => key.startsWith('filter['));
  if (keys.length === 0) return query;
  refuseRepeated(query, keys);
  const others = Object.entries(query).filter(([key]) => !keys.includes(key));
  return { ...Object.fromEntries(others), filter: JSON.stringify(parseBrackets(query, keys)) };
}

/** The parser would combine repeated parameters into an array, and drop what it cannot place. */
function refuseRepeated(query: Parameters, keys: string[]): void {
  if (query.filter) throw refusal('GIVEN_TWICE', 'Give the filter once: as JSON or in brackets.');
  for (const key of keys) {
    if (!wellFormed.test(key) || key.includes('[__proto__]')) {
      throw refusal('INVALID_VALUE', `\`${key.slice(0, 64)}\` is not a valid parameter of a filter.`);
    }
    const isRepeated = Array.isArray(query[key]) && !key.endsWith('[]');
    if (isRepeated || keys.some((other) => other.startsWith(`${key}[`))) {
      throw refusal('GIVEN_TWICE', `\`${key.slice(0, 64)}\` is given twice.`);
    }
  }
}

function parseBrackets(query: Parameters, keys: string[]): unknown {
  const pairs = keys.flatMap((key) =>
    [query[key]].flat().map((value): [string, string] => [key, String(value)]),
  );
  try {
    return parse(new URLSearchParams(pairs).toString(), {
      depth: bounds.brackets,
      strictDepth: true,
      arrayLimit: bounds.values,
      parameterLimit: bounds.parameters,
      throwOnLimitExceeded: true,
      // Without a prototype, keys such as `constructor` are refused like any unknown field instead of ignored.
      plainObjects: true,
    }).filter;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `A filter in brackets may have at most ${bounds.parameters} parameters, ${bounds.brackets} brackets in each, and ${bounds.values} values in an array.`;
    throw refusal('TOO_MANY', message);
  }
}

const refusal = (code: string, message: string) => invalidFilter({ path: 'filter', code, message });
