import { listProperties, type Operation } from '../../../harness/operations.ts';

/** Fields by which a request changes who can log in, and as what. */
const sensitiveFields = ['email', 'emailVerified', 'role', 'password', 'newPassword', 'secondFactorRequired'];
/** Parts of paths whose objects are credentials, caller ids, payment data, or the settings of single sign-on. */
const sensitivePaths = [
  'accessTokens',
  'callerIds',
  'factors',
  'financial',
  'change-password',
  'reveal',
  'sso',
];

/** Fields and paths that are called like sensitive ones, and why they are not. */
const exceptions: Record<string, string> = {
  'PATCH /accounts email': 'The contact address of the company; no user logs in with it.',
  'POST /users/me/proof password': 'The proof itself.',
  'POST /console/sso/proof everything': 'The proof itself.',
};

/** Returns what is sensitive about an operation: fields of the body, or `everything` about a path. */
function findSensitive({ name, method, path, body }: Operation): string[] {
  if (method === 'GET' || method === 'HEAD') return [];
  const isSensitivePath = sensitivePaths.some((part) => path.split('/').includes(part));
  const fields = listProperties(body).map(([field]) => field);
  const found = isSensitivePath ? ['everything'] : fields.filter((field) => sensitiveFields.includes(field));
  return found.filter((what) => !(`${name} ${what}` in exceptions));
}

/** Returns the sensitive operations that do not declare that they need a proof, or not for every sensitive field. */
export const findUndeclared = (operations: Operation[]): string[] =>
  operations.flatMap((operation) => {
    const { name, proof, proofFields } = operation;
    const isCovered = (what: string): boolean =>
      proof !== undefined && (proofFields === undefined || proofFields.includes(what));
    return findSensitive(operation)
      .filter((what) => !isCovered(what))
      .map((what) => `${name}: ${what}`);
  });
