import type { JsonSchema } from '../../../harness/contract.ts';
import { listProperties, type Operation } from '../../../harness/operations.ts';

/** Fields by which a request changes who can log in, and as what, also with a phone. */
const sensitiveFields = [
  'email',
  'emailVerified',
  'role',
  'password',
  'newPassword',
  'secondFactorRequired',
  'senha',
];
/** Parts of paths whose objects are credentials, caller ids, payment data, rights, or the settings of single sign-on. */
const sensitivePaths = [
  'accessTokens',
  'callerIds',
  'factors',
  'financial',
  'change-password',
  'permissions',
  'reveal',
  'secret',
  'sso',
];
/** Fields of a response that contain a credential, besides those of the format `password`. */
const secretFields = ['senha', 'secret', 'clientSecret', 'recoveryCodes', 'password', 'credential', 'token'];

/** Fields and paths that are called like sensitive ones, and why they are not. */
const exceptions: Record<string, string> = {
  'PATCH /accounts email': 'The contact address of the company; no user logs in with it.',
  'POST /users/me/proof password': 'The proof itself.',
  'POST /console/sso/proof everything': 'The proof itself.',
  'POST /extensions senha': 'The password of a new extension, which the caller has chosen.',
  'POST /extensions/next-available senha': 'The password of a new extension, which the caller has chosen.',
  'POST /extensions returns senha': 'The password that the caller has just chosen.',
  'POST /extensions/next-available returns senha': 'The password that the caller has just chosen.',
  'POST /extensions/bulk returns senha': 'The passwords that the caller has just chosen.',
  'GET /extensions returns senha': 'To no console session (EXT-31).',
  'GET /extensions/{id} returns senha': 'To no console session (EXT-31).',
  'POST /extensions/{id}/phone-sessions returns password': 'Expires within minutes (EXT-18).',
  'POST /extensions/{id}/phone-sessions returns credential': 'Of the relay; expires with the session.',
  'PATCH /extensions returns senha': 'To no console session, except of a new extension (EXT-33).',
};

/** Returns the secret fields at any depth of a schema. */
function listSecrets(schema: JsonSchema): string[] {
  const found = listProperties(schema).flatMap(([name, property]) =>
    secretFields.includes(name) || property['format'] === 'password' ? [name] : listSecrets(property),
  );
  const nested = ['items', 'additionalProperties'].map((key) => schema[key]);
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => schema[key] ?? []);
  const inside = [...nested, ...choices].filter((each) => typeof each === 'object' && each !== null);
  return [...found, ...inside.flatMap((each) => listSecrets(each as JsonSchema))];
}

/** Returns the secrets that an operation returns. */
function findReturned({ responses }: Operation): string[] {
  const schemas = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? Object.values(content ?? {}).map(({ schema }) => schema) : [],
  );
  return [...new Set(schemas.flatMap(listSecrets))].map((name) => `returns ${name}`);
}

/** Returns the fields of the body that are sensitive, or `everything` about a path. */
function findChanged({ method, path, body }: Operation): string[] {
  if (method === 'GET' || method === 'HEAD') return [];
  const isSensitivePath = sensitivePaths.some((part) => path.split('/').includes(part));
  const isPerson = method === 'DELETE' && path === '/users/{uuid}';
  const fields = listProperties(body).map(([field]) => field);
  return isSensitivePath || isPerson
    ? ['everything']
    : fields.filter((field) => sensitiveFields.includes(field));
}

/** Returns the sensitive operations that do not declare that they need a proof, or not for everything sensitive. */
export const findUndeclared = (operations: Operation[]): string[] =>
  operations.flatMap((operation) => {
    const { name, proof, proofFields } = operation;
    const isCovered = (what: string): boolean =>
      proof !== undefined && (proofFields === undefined || proofFields.includes(what));
    return [...findChanged(operation), ...findReturned(operation)]
      .filter((what) => !(`${name} ${what}` in exceptions) && !isCovered(what))
      .map((what) => `${name}: ${what}`);
  });

/** Returns the exceptions that except nothing. */
export const findNeedlessExceptions = (operations: Operation[]): string[] => {
  const found = operations.flatMap((each) =>
    [...findChanged(each), ...findReturned(each)].map((what) => `${each.name} ${what}`),
  );
  return Object.keys(exceptions).filter((each) => !found.includes(each));
};
