/** A response with what decides whether it is recorded. */
export interface Answered {
  method: string;
  status: number;
  /** Fields that were ignored because the client asked for lenient handling. */
  ignoredFields: readonly string[] | undefined;
}

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const firstErrorStatus = 400;

/** Refused requests, those with ignored fields, and all writes are recorded; other reads are not. */
export const isRecorded = ({ method, status, ignoredFields }: Answered): boolean =>
  status >= firstErrorStatus || !readMethods.has(method) || (ignoredFields?.length ?? 0) > 0;

/** Names per request; a body may have thousands of wrong fields. */
const maxNames = 20;
const maxNameLength = 200;
/** Longer than any field of the API: clients sometimes send tokens and signed texts as names. */
const longSegment = /[^.]{41,}/g;

/**
 * Returns the names of fields to store, or null if there are none. Clients choose the names of unknown fields, so
 * long ones are hidden, and characters that PostgreSQL rejects are replaced.
 */
export function fieldNames(paths: readonly string[] | undefined): string[] | null {
  if (!paths || paths.length === 0) return null;
  return [...new Set(paths.slice(0, maxNames).map(cleanName))];
}

/** Names that need no cleaning, which are almost all. */
const plainName = /^\w{1,40}$/;

const cleanName = (path: string): string => (plainName.test(path) ? path : cleaned(path));

const cleaned = (path: string): string =>
  path
    .replaceAll(longSegment, '[redacted]')
    .slice(0, maxNameLength)
    .toWellFormed()
    .replaceAll('\u0000', '\uFFFD');

/** Stored requests per account and UTC day; further ones are only counted. */
export const maxPerDay = 100_000;

export const requestRetentionDays = 7;

/** Requests before this time are not listed, even if their partition still exists. */
export const oldestListed = (now: Date): Date =>
  new Date(now.getTime() - requestRetentionDays * 24 * 3600 * 1000);
