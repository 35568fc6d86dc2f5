export const subjects = [
  'user',
  'token',
  'factor',
  'extension',
  'integration',
  'account',
  'callerId',
  'charge',
  'call',
  'contact',
  'sso',
  'person',
] as const;
export type Subject = (typeof subjects)[number];

export const periods = [1, 7, 30, 365] as const;

/** State of the screen, stored in the URL so that it can be shared. */
export interface AuditView {
  about?: Subject;
  /** Part of the author's e-mail address. */
  by?: string;
  /** Number of days. */
  days?: (typeof periods)[number];
}

export const longestAuthor = 100;

/** Removes invalid search parameters. */
export function validateSearch({ about, by, days }: Record<string, unknown>): AuditView {
  const subject = subjects.find((each) => each === about);
  const period = periods.find((each) => each === Number(days));
  const text = typeof by === 'string' || typeof by === 'number' ? String(by).trim() : '';
  return {
    ...(subject && { about: subject }),
    ...(text !== '' && text.length <= longestAuthor && { by: text }),
    ...(period && { days: period }),
  };
}

const dayMs = 24 * 3600 * 1000;

/** Escapes the wildcards of a pattern. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);

/** Changes of single sign-on are about the account, a domain or a user. */
const subjectTest = (about: Subject): object =>
  about === 'sso' ? { action: { like: 'sso.%' } } : { targetType: about };

export const toWhere = ({ about, by, days }: AuditView, nowMs = Date.now()): object => ({
  ...(about && subjectTest(about)),
  ...(by && { actorEmail: { ilike: `%${literal(by)}%` } }),
  ...(days && { at: { gte: new Date(nowMs - days * dayMs).toISOString() } }),
});
