import type { Access } from './access.ts';

/** The parts of the description that many operations share. */

export const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The access token, alone or as `Bearer <token>`.',
  },
  accessToken: { type: 'apiKey', in: 'header', name: 'X-Access-Token', description: 'The access token.' },
  console: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-disca',
    description:
      'The session of the web console: good only together with `X-Disca-Console: 1`, and only for pages of the same origin.',
  },
} as const;

const wholeNumber = { type: 'integer', minimum: 0 } as const;

export const sharedHeaders = {
  'X-Request-Id': {
    description: 'Identifies the request in our logs.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests allowed in the window.', required: true, schema: wholeNumber },
  'RateLimit-Remaining': { description: 'Requests left in the window.', required: true, schema: wholeNumber },
  'RateLimit-Reset': {
    description: 'Seconds until the window restarts.',
    required: true,
    schema: wholeNumber,
  },
  'X-Total-Count': { description: 'How many items match in all.', required: true, schema: wholeNumber },
  'X-Total-Estimated': {
    description: '`true` where the total is an estimate, because counting would have taken over a second.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: { description: 'With `rel="next"`: the page after this one, by cursor.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before trying again.', required: true, schema: wholeNumber },
} as const;

const reference = (name: keyof typeof sharedHeaders) => ({
  [name]: { $ref: `#/components/headers/${name}` },
});

export const rateLimitHeaders = {
  ...reference('RateLimit-Limit'),
  ...reference('RateLimit-Remaining'),
  ...reference('RateLimit-Reset'),
};

/** What a list tells beside its items. */
export const arrayHeaders = { ...reference('X-Total-Count'), ...reference('X-Total-Estimated') };
export const cursorHeaders = reference('Link');
export const pageHeaders = { ...reference('Link'), ...reference('X-Total-Estimated') };

const problemResponse = (description: string, headers?: object) => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** What any operation of this kind may answer, beside what it says of itself. */
export function errorResponses(operation: { access: Access; hasBody: boolean; hasPath: boolean }): object {
  const { access, hasBody, hasPath } = operation;
  return {
    400: problemResponse(
      'The request is malformed: a body that is not JSON, an unknown query parameter, a filter that cannot be understood.',
    ),
    ...(access === 'PUBLIC'
      ? {}
      : {
          401: problemResponse(
            '`AUTHORIZATION_REQUIRED` without a token, `INVALID_TOKEN` with one that is unknown, expired or revoked.',
          ),
        }),
    ...(access === 'PUBLIC'
      ? {}
      : { 403: problemResponse('`ACCESS_DENIED`: the role of the caller does not allow this.') }),
    ...(hasPath ? { 404: problemResponse('There is no such object in this account.') } : {}),
    413: problemResponse('The body is larger than 64 kB.'),
    415: problemResponse('The body is not JSON by its Content-Type.'),
    422: problemResponse(
      hasBody
        ? '`VALIDATION_ERROR`: `details` names every fault.'
        : '`VALIDATION_ERROR`: a parameter is missing or has the wrong form.',
    ),
    429: problemResponse(
      '`RATE_LIMITED`: wait for the seconds in RateLimit-Reset.',
      reference('Retry-After'),
    ),
    500: problemResponse('Something went wrong on our side.'),
    503: problemResponse(
      '`SERVICE_UNAVAILABLE`: try again after the seconds in Retry-After.',
      reference('Retry-After'),
    ),
  };
}
