import fc from 'fast-check';
import type { JsonSchema } from '../../harness/contract.ts';
import { listProperties, type Operation, type Parameter } from '../../harness/operations.ts';
import { listFields, oddFilter, validFilter } from './filter-arbitrary.ts';
import { contentTypes, headerTexts, hostileValue, oddHeaders, rawBodies, rawQueries } from './hostile.ts';
import { Reference } from './references.ts';
import type { Identity, RequestPlan } from './request-plan.ts';
import { edgeValue, validValue } from './schema-arbitrary.ts';

/**
 * Expensive or disruptive operations are generated less often than the others, and those that succeed only one after the
 * other more often.
 */
const weights: Record<string, number> = {
  'POST /accounts/signup': 4,
  'GET /charges/{id}/pix': 4,
  'GET /openapi.json': 2,
  'POST /calls': 48,
  'POST /users/me/factors/totp/start': 48,
  'POST /users/me/factors/totp': 48,
  'GET /users/me/factors': 48,
  'DELETE /users/me/factors/{id}': 48,
};
const usual = 16;

/** Generates requests to all operations: most of them valid, the others changed in one of several ways. */
export const requestsTo = (operations: Operation[]): fc.Arbitrary<RequestPlan> =>
  fc.oneof(
    ...operations.map((each) => ({ weight: weights[each.name] ?? usual, arbitrary: requestTo(each) })),
    {
      weight: usual,
      arbitrary: strayRequest(operations),
    },
  );

/** Generates requests to unknown paths, or with a method that a path does not have. */
function strayRequest(operations: Operation[]): fc.Arbitrary<RequestPlan> {
  const real = fc.constantFrom(...operations.map(({ path }) => path));
  const ways: ((path: string) => string)[] = [
    (path) => path,
    (path) => `${path}/`,
    (path) => `${path}/x`,
    (path) => `${path}%2f..`,
    (path) => `${path};a=b`,
    (path) => path.toUpperCase(),
    (path) => path.replaceAll('/', '//').slice(1),
    (path) => `/..${path}`,
    (path) => `${path}%`,
    () => '/.env',
  ];
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
  return fc.tuple(real, fc.constantFrom(...ways), methods).chain(([path, way, method]) => {
    const operation: Operation = {
      name: 'no route',
      method,
      path: way(path),
      access: 'PUBLIC',
      scope: undefined,
      servesServiceTokens: false,
      permission: undefined,
      proof: undefined,
      proofFields: undefined,
      parameters: [],
      body: undefined,
      responses: {},
    };
    return fc.oneof(validRequest(operation), spoiltIn(validRequest(operation), changeOfTransport()));
  });
}

function requestTo(operation: Operation): fc.Arbitrary<RequestPlan> {
  const valid = validRequest(operation);
  return fc.oneof(
    { weight: 66, arbitrary: valid },
    { weight: 12, arbitrary: spoiltIn(valid, changeOfOneValue(operation, edgeValue)) },
    {
      weight: 12,
      arbitrary: spoiltIn(
        valid,
        changeOfOneValue(operation, () => hostileValue),
      ),
    },
    { weight: 10, arbitrary: spoiltIn(valid, changeOfTransport()) },
  );
}

function validRequest(operation: Operation): fc.Arbitrary<RequestPlan> {
  const inPath = operation.parameters.filter((each) => each.in === 'path');
  const path = fc
    .record(Object.fromEntries(inPath.map((each) => [each.name, validValue(each.schema)])))
    .map(withExtensionOfSession);
  return fc
    .record({
      identity: identityFor(operation),
      path,
      address: validQuery(operation),
      body: operation.body ? validValue(operation.body) : fc.constant(undefined),
      headers: validHeaders(operation),
      twice: fc.nat(19).map((roll) => roll === 0),
    })
    .map(({ address, ...plan }) => ({ operation, ...plan, ...address }));
}

/** Replaces the extension in the path of a phone session by the one to which the session belongs. */
function withExtensionOfSession(path: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(path);
  const session = values.map(([, value]) => value).find((value) => isOfKind(value, 'phone-session'));
  if (!session) return path;
  const extension = new Reference('extension-of-phone-session', session.pick);
  return Object.fromEntries(
    values.map(([name, value]) => [name, isOfKind(value, 'extension') ? extension : value]),
  );
}

const isOfKind = (value: unknown, kind: string): value is Reference =>
  value instanceof Reference && value.kind === kind;

/** Generates the described headers, or more often none. */
function validHeaders(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const described = operation.parameters.filter((each) => each.in === 'header');
  const sent = fc.record(
    Object.fromEntries(described.map((each) => [each.name, fc.constantFrom(...headerTexts)])),
  );
  return fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: sent });
}

function identityFor({ access }: Operation): fc.Arbitrary<Identity> {
  const weights = { PUBLIC: [4, 1, 1, 1], USER: [1, 9, 9, 1], ADMIN: [1, 1, 20, 1] }[access];
  const identities = ['anonymous', 'USER', 'ADMIN', 'unknown-token'] as const;
  const who = fc.oneof(
    ...identities.map((each, i) => ({ weight: weights[i] ?? 1, arbitrary: fc.constant(each) })),
  );
  return fc.record({ who, header: fc.constantFrom('authorization', 'bearer', 'x-access-token') });
}

const kindOf = ({ schema }: Parameter) => schema['x-kind'];

/** Generates the query, or the URL of a next page from an earlier response, with cursor and filter. */
function validQuery(operation: Operation): fc.Arbitrary<Pick<RequestPlan, 'query' | 'rawQuery'>> {
  const inQuery = operation.parameters.filter((each) => each.in === 'query');
  const filter = inQuery.find((each) => kindOf(each) === 'filter');
  const cursor = inQuery.find((each) => kindOf(each) === 'cursor');
  const plain = inQuery.filter((each) => each !== filter && each !== cursor);
  const entries = plain.map((each) => {
    const entry = validValue(each.schema).map((value): [string, unknown][] => [[each.name, value]]);
    const isAlways = each.required || kindOf(each) === 'page';
    return isAlways
      ? entry
      : fc.oneof({ weight: 1, arbitrary: entry }, { weight: 3, arbitrary: fc.constant([]) });
  });
  if (filter) {
    const filters = validFilter(listFields(operation)).map((value): [string, unknown][] => [
      [filter.name, value],
    ]);
    entries.push(fc.oneof({ weight: 4, arbitrary: filters }, { weight: 1, arbitrary: fc.constant([]) }));
  }
  const direct = fc.tuple(...entries).map((parts) => ({ query: withoutTwice(parts.flat()) }));
  if (!cursor) return direct;
  const onward = fc.nat(1000).map((pick) => ({ query: [], rawQuery: new Reference('next-page', pick) }));
  return fc.oneof({ weight: 2, arbitrary: direct }, { weight: 1, arbitrary: onward });
}

/** Puts `limit` and `offset` in the filter or beside it, not in both. */
function withoutTwice(query: [string, unknown][]): [string, unknown][] {
  const filter = query.find(([name]) => name === 'filter')?.[1] as Record<string, unknown> | undefined;
  return query.filter(([name]) => filter === undefined || !(name in filter));
}

type Change = (plan: RequestPlan) => RequestPlan;

const spoiltIn = (requests: fc.Arbitrary<RequestPlan>, changes: fc.Arbitrary<Change>) =>
  fc.tuple(requests, changes).map(([plan, change]) => change(plan));

const setQuery = (plan: RequestPlan, name: string, value: unknown): RequestPlan => ({
  ...plan,
  query: [...plan.query.filter(([each]) => each !== name), [name, value]],
});

const setBody = (plan: RequestPlan, name: string, value: unknown): RequestPlan => ({
  ...plan,
  body: { ...(plan.body as object), [name]: value },
});

/** Replaces one value, wherever the operation takes one; where it takes none, adds one. */
function changeOfOneValue(
  operation: Operation,
  valuesOf: (schema: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Change> {
  const changeable = operation.parameters.filter((each) => each.in !== 'header');
  const changes = changeable.map((each): fc.Arbitrary<Change> => {
    const isFree = kindOf(each) === 'filter' || kindOf(each) === 'cursor';
    const values =
      kindOf(each) === 'filter'
        ? oddFilter(listFields(operation))
        : isFree
          ? hostileValue
          : valuesOf(each.schema);
    return values.map(
      (value) => (plan) =>
        each.in === 'path'
          ? { ...plan, path: { ...plan.path, [each.name]: value } }
          : setQuery(plan, each.name, value),
    );
  });
  for (const [name, schema] of listProperties(operation.body)) {
    changes.push(valuesOf(schema).map((value) => (plan) => setBody(plan, name, value)));
    changes.push(fc.constant((plan) => setBody(plan, name, undefined)));
  }
  const names = fc.constantFrom(
    'id',
    'account_id',
    'role',
    'nome',
    'passwordHash',
    'constructor',
    'toString',
    '',
  );
  if (operation.body)
    changes.push(
      fc.tuple(names, hostileValue).map(
        ([name, value]) =>
          (plan) =>
            setBody(plan, name, value),
      ),
    );
  changes.push(
    fc.tuple(names, hostileValue).map(
      ([name, value]) =>
        (plan) =>
          setQuery(plan, name, value),
    ),
  );
  return fc.oneof(...changes);
}

function changeOfTransport(): fc.Arbitrary<Change> {
  const header =
    (headers: Record<string, string>): Change =>
    (plan) => ({ ...plan, headers: { ...plan.headers, ...headers } });
  return fc.oneof(
    fc.constantFrom(...contentTypes).map((type) => header({ 'content-type': type })),
    rawBodies.map(
      (rawBody): Change =>
        (plan) => ({ ...plan, rawBody }),
    ),
    fc.tuple(rawBodies, fc.constantFrom(...contentTypes)).map(
      ([rawBody, type]): Change =>
        (plan) =>
          header({ 'content-type': type })({ ...plan, rawBody }),
    ),
    fc.constantFrom(...rawQueries).map(
      (rawQuery): Change =>
        (plan) => ({ ...plan, rawQuery }),
    ),
    fc.constantFrom(...oddHeaders).map(header),
    fc
      .constantFrom('Basic dXNlcjpwYXNz', 'Bearer', 'bearer  x', 'x'.repeat(2000), 'é')
      .map((authorization) => header({ authorization })),
  );
}
