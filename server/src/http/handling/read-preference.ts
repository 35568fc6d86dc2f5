import { type Handling, handlings } from '../../platform/caller.ts';

const longest = 1_000;
/** A preference with its parameters; commas inside quoted strings do not end it. */
const preferences = /(?:[^",]|"(?:[^"\\]|\\.)*(?:"|$))+/g;
const handling = /^\s*handling\s*=\s*"?([a-z]+)"?\s*(?:;|$)/i;

/**
 * Returns the handling that the header `Prefer` asks for (RFC 7240). The first preference of this name counts; one with an
 * unknown value is ignored, as the RFC demands.
 */
export function readPreference(prefer: string | string[] | undefined): Handling | undefined {
  if (prefer === undefined) return undefined;
  const text = [prefer].flat().join(',');
  if (text.length > longest) return undefined;
  const [given] = (text.match(preferences) ?? []).flatMap((each) => handling.exec(each)?.[1] ?? []);
  return handlings.find((each) => each === given?.toLowerCase());
}
