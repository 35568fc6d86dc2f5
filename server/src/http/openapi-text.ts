/** What a developer should know before the first request. Rules that hold for one operation stand with it. */
export const introduction = `Disca places calls for people who live in a CRM. This is its API.

**Bodies** are JSON. What was read may be sent back: read-only fields are ignored. An unknown field is refused, and the
answer names the nearest valid one. In a PATCH an absent field stays as it is. A body has at most 64 kB. Creation answers 200 with the
object (signup 201), success without a body 204.

**Errors** always look like \`{"error":{"statusCode","errorCode","name","message","details"?}}\`. Act on \`errorCode\`, which is
stable; \`details\` names every fault of a request, not only the first. An object of another account is answered exactly as
one that does not exist. A 503 tells in \`Retry-After\` when to come back. Every answer carries \`X-Request-Id\`.

**Times** are ISO 8601 in UTC, with \`Z\`. **Money** is a number of Brazilian reais.

**Limits** count in fixed windows of one minute, shared by all nodes, and are told by \`RateLimit-Limit\`, \`RateLimit-Remaining\` and
\`RateLimit-Reset\` on every answer, errors included; a 429 also carries \`Retry-After\`. A request without a valid token
counts against its IP address; IPv6 clients count per /64. Limits by user count all tokens of the user together. This description and /docs are not limited. If a request is at fault in several ways, refusals come in this
order: the address's limit, 413, 415 and 400, 401, the user's limit, the role, 422, 404, 409.

**Lists** take \`filter\`, a JSON object with \`where\`, \`order\`, \`limit\`, \`offset\` (or \`skip\`), \`fields\` and \`include\`.
\`where\` knows \`and\`, \`or\`, \`eq\` (also implied), \`neq\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`between\`, \`inq\`, \`nin\`, \`like\`, \`nlike\`, \`ilike\`,
\`nilike\` and \`exists\`; several operators on one field must all hold. \`regexp\` is refused: use \`ilike\`. An unknown field,
operator or query parameter is a 400 that names the nearest valid one; nothing is silently ignored. A filter has at most
4 kB, 5 levels, 50 conditions and 100 values in \`inq\`. Pages count from 1 and have 100 items, or \`limit\`; array lists
answer at most 1,000 and tell the total in \`X-Total-Count\`. Newest come first unless \`order\` says otherwise. A total that
cannot be counted within a second is estimated, and \`X-Total-Estimated: true\` says so; a filter that would run too long is refused with \`FILTER_TOO_EXPENSIVE\`.`;

export const tags = [
  {
    name: 'Access',
    description:
      'Logging in and out, passwords and access tokens. A token goes into `Authorization`, alone or after `Bearer`, or into `X-Access-Token`, never into the query string.',
  },
  { name: 'Accounts', description: 'Signing up, and the account itself.' },
  {
    name: 'Users',
    description: 'The people of the account. ADMINs manage them; a USER reads them and edits itself.',
  },
  {
    name: 'Credit',
    description:
      'Balance, statement and prices. Prepaid: calls hold credit before they use it, and can never take it below zero.',
  },
  { name: 'Audit', description: 'Who changed what.' },
  { name: 'Description', description: 'This document.' },
] as const;
