/** Components of the description that many operations share. */

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
      'The session of the web console. Valid only together with `X-Disca-Console: 1`, and only from pages of the same origin.',
  },
} as const;

export const anyToken: Record<string, string[]>[] = [{ token: [] }, { accessToken: [] }, { console: [] }];

const wholeNumber = { type: 'integer', minimum: 0 } as const;

export const sharedHeaders = {
  'X-Request-Id': {
    description: 'Identifies the request in our logs.',
    required: true,
    schema: { type: 'string' },
  },
  'Preference-Applied': {
    description: '`handling=lenient` if the request was lenient; `handling=strict` if `Prefer` asked for it.',
    schema: { type: 'string', enum: ['handling=lenient', 'handling=strict'] },
  },
  'Disca-Ignored': {
    description:
      'Unknown body fields and query parameters that a lenient request ignored: percent-encoded, separated by commas, at most 1 kB. `...` replaces names that do not fit.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests allowed in the window.', required: true, schema: wholeNumber },
  'RateLimit-Remaining': {
    description: 'Requests remaining in the window.',
    required: true,
    schema: wholeNumber,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the window restarts.',
    required: true,
    schema: wholeNumber,
  },
  'X-Total-Count': { description: 'Total number of matching items.', required: true, schema: wholeNumber },
  'X-Total-Estimated': {
    description: '`true` if the total is an estimate, because counting would have taken over a second.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: { description: 'With `rel="next"`: the next page, by cursor.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before retrying.', required: true, schema: wholeNumber },
} as const;

const reference = (name: keyof typeof sharedHeaders) => ({
  [name]: { $ref: `#/components/headers/${name}` },
});

export const rateLimitHeaders = {
  ...reference('RateLimit-Limit'),
  ...reference('RateLimit-Remaining'),
  ...reference('RateLimit-Reset'),
};

/** How a request was handled. */
export const handlingHeaders = { ...reference('Preference-Applied'), ...reference('Disca-Ignored') };

/** Response headers of array lists. */
export const arrayHeaders = { ...reference('X-Total-Count'), ...reference('X-Total-Estimated') };
export const cursorHeaders = reference('Link');
export const pageHeaders = { ...reference('Link'), ...reference('X-Total-Estimated') };

const problemResponse = (description: string, headers?: object) => ({
  description,
  ...(headers ? { headers } : {}),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

/** Returns the error responses that any operation of this kind may return, besides its own. */
export function errorResponses(operation: { access: string; hasBody: boolean; hasPath: boolean }): object {
  const { access, hasBody, hasPath } = operation;
  return {
    400: problemResponse(
      'Malformed request: a body that is not JSON, an unknown query parameter, or an invalid filter.',
    ),
    ...(access === 'PUBLIC'
      ? {}
      : {
          401: problemResponse(
            '`AUTHORIZATION_REQUIRED` without a token, `INVALID_TOKEN` if it is unknown, expired or revoked.',
          ),
        }),
    ...(access === 'PUBLIC'
      ? {}
      : {
          403: problemResponse(
            "`ACCESS_DENIED`: the caller's role or permissions do not allow this; `TOKEN_SCOPE_MISSING`: the scopes of the token do not; `TOKEN_ADDRESS_NOT_ALLOWED`: the token must not be used from this address.",
          ),
        }),
    ...(hasPath ? { 404: problemResponse('Not found in this account.') } : {}),
    413: problemResponse('The body is larger than 64 kB.'),
    415: problemResponse('The Content-Type of the body is not JSON.'),
    422: problemResponse(
      hasBody
        ? '`VALIDATION_ERROR`: `details` lists every error.'
        : '`VALIDATION_ERROR`: a parameter is missing or invalid.',
    ),
    429: problemResponse(
      '`RATE_LIMITED`: wait for the number of seconds in RateLimit-Reset.',
      reference('Retry-After'),
    ),
    500: problemResponse('Internal error.'),
    503: problemResponse(
      '`SERVICE_UNAVAILABLE`: retry after the number of seconds in Retry-After.',
      reference('Retry-After'),
    ),
  };
}
