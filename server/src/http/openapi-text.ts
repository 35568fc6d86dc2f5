/** What a developer should know before the first request. Rules that hold for one operation stand with it. */
export const introduction = `Disca places calls for people who live in a CRM. This is its API.

**Tokens.** Every request but those marked "Served without a token" carries an access token, alone or after \`Bearer\` in
\`Authorization\`, or in \`X-Access-Token\`; never in the query string. Without one the answer is 401
\`AUTHORIZATION_REQUIRED\`, with one that is unknown, expired or revoked 401 \`INVALID_TOKEN\`.

**Roles.** An ADMIN may do everything in its account. A USER reads the account and its people, calls, edits its own profile
and manages what is its own, such as its tokens. Everything else that writes, and everything about the account's money, is
403 \`ACCESS_DENIED\` for a USER.

**Accounts** are in test or in live mode, and only the operator switches. A test account calls the simulated carrier and
pays at the sandbox; its play credit is a book of its own that no live call spends and no switch carries over. The operator
can export an account's data, erase a person's (numbers and names are replaced, money and counts stay) and close an account.
When an account is blocked, its calls end and its requests are refused with 401.

**Bodies** are JSON. What was read may be sent back: read-only fields are ignored. An unknown field is refused with 422, and
the answer names the nearest valid one. In a PATCH an absent field stays as it is. Creation answers 200 with the object
(signup 201), success without a body 204. A body that is not well-formed is 400, one over 64 kB 413, and one that is not
JSON by its \`Content-Type\` 415.

**Errors** always look like \`{"error":{"statusCode","errorCode","name","message","details"?}}\`, unknown routes included. Act
on \`errorCode\`, which is stable. A value that is missing, out of range, of the wrong form or already taken is 422
\`VALIDATION_ERROR\`; its \`details\` are an array of \`{path, code, message}\` that names every fault (the first hundred), not
only the first. An object of another account is answered exactly as one that does not exist. A 5xx tells nothing of our
inside, and a 503 tells in \`Retry-After\` when to come back. Every answer carries \`X-Request-Id\`.

**Times** are ISO 8601 in UTC, with \`Z\`. **Money** is a number of Brazilian reais.

**Limits** count in fixed windows of one minute, shared by all nodes, and are told by \`RateLimit-Limit\`, \`RateLimit-Remaining\`
and \`RateLimit-Reset\` on every answer, errors included; a 429 also carries \`Retry-After\`. Every operation says its limit:
those limited to 60 per IP address share one bucket, and so do those limited to 60 per user, which counts all tokens of the
user together. A request without a valid token counts against its IP address on every route. The address is that of the
connection, or the one our own proxy saw; \`X-Forwarded-For\` from anyone else changes nothing. IPv6 clients count per /64.
While the shared counters are away, every node limits by its own. This description, /docs, health and signed links are not
limited. If a request is at fault in several ways, refusals come in this order: the address's limit, 413, 415 and 400, 401,
the user's limit, the role, 422, idempotency, 404, other 403, 402, 424, 409, capacity.

**Webhooks.** An integration with \`webhook\` true is told what happens to calls by POST: \`channel-answer\` and
\`channel-hangup\`, and if \`webhookTypes\` lists them \`channel-create\`, \`channel-ringing\`, \`call-priced\`, \`recording-ready\`,
\`charge-paid\` and \`balance-low\`, which fires once on crossing the account's threshold downwards. \`webhookConstraint\`, flat or
under \`metadata\`, leaves out calls whose metadata does not contain it. \`version\` is the configured \`webhookVersion\`; nothing
else depends on it. Times are \`YYYY-MM-DD HH:MM:SS\` in the account's zone, which \`timezone\` names, and beside them in ISO 8601
as \`startedAtIso\`, \`answeredAtIso\` and \`endedAtIso\`. \`hangupCauseCode\` is the number of \`hangupCause\`, as text.
\`channel-answer\` has no end fields. \`recordUrl\` works for 24 hours from each attempt, and is null without a recording. Each
message is signed by Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). A 2xx within 15 s ends it;
anything else, a redirect included, is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each up to
a fifth later. 410 disables the webhook, and so do 5 days of nothing but failures, of which its owner is told by mail. Only
public addresses are called, checked when connecting, and networks that the operator allows.

**Lists** take \`filter\`, a JSON object with \`where\`, \`order\`, \`limit\`, \`offset\` (or \`skip\`), \`fields\` and \`include\`.
\`where\` knows \`and\`, \`or\`, \`eq\` (also implied), \`neq\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`between\`, \`inq\`, \`nin\`, \`exists\`, and
\`like\` and \`nlike\`, which mind the case, \`ilike\` and \`nilike\`, which do not: \`%\` and \`_\` are their wildcards, so that a part of
a number is found by \`{"phone":{"like":"%4321%"}}\`. Several operators on one field must all hold. \`regexp\` is refused: use
\`ilike\`. \`order\` is \`"field DESC"\` or an array of such texts, and newest come first without it; \`fields\` names the fields to
return; \`include\` adds what the operation names. An unknown field, operator, include or query parameter is a 400 that names
the nearest valid one; nothing is silently ignored. A filter that is not a JSON object, or has more than 4 kB, 5 levels, 50
conditions or 100 values in \`inq\`, is 400 \`INVALID_FILTER\`. Pages count from 1 and have 100 items, or \`limit\` from 1 to 100;
array lists also take \`limit\` and \`offset\` as parameters, answer at most 1,000 items and tell the total in \`X-Total-Count\`.
A total that cannot be counted within a second is estimated, and \`X-Total-Estimated: true\` says so; a filter that would run
too long is 400 \`FILTER_TOO_EXPENSIVE\`.`;

/** The decisions that the introduction tells, for all operations together. */
export const generalClauses = [
  ...['ACCT-05', 'ACCT-07', 'ACCT-08'],
  ...['AUTH-04', 'AUTH-05', 'AUTH-14', 'AUTH-15', 'AUTH-16'],
  ...['ERR-03', 'ERR-04', 'ERR-05', 'ERR-06', 'ERR-07', 'ERR-08', 'ERR-09', 'ERR-10', 'ERR-11', 'ERR-12'],
  ...['HOOK-09', 'HOOK-10', 'HOOK-11', 'HOOK-12', 'HOOK-13', 'HOOK-14', 'HOOK-15', 'HOOK-16', 'HOOK-17'],
  ...['HOOK-18', 'HOOK-19', 'HOOK-23', 'HOOK-24', 'HOOK-29'],
  ...['LIMIT-09', 'LIMIT-10', 'LIMIT-11', 'LIMIT-12', 'LIMIT-13', 'LIMIT-14', 'LIMIT-15'],
  ...['LIST-08', 'LIST-09', 'LIST-10', 'LIST-11', 'LIST-12', 'LIST-13', 'LIST-14', 'LIST-15', 'LIST-16'],
  ...['LIST-17', 'LIST-20', 'LIST-22', 'LIST-23'],
];

export const tags = [
  {
    name: 'Access',
    description:
      'Logging in and out, passwords and access tokens. A token goes into `Authorization`, alone or after `Bearer`, or into `X-Access-Token`, never into the query string.',
  },
  { name: 'Console', description: 'The session of the web console, whose token is a cookie.' },
  { name: 'Accounts', description: 'Signing up, and the account itself.' },
  {
    name: 'Users',
    description: 'The people of the account. ADMINs manage them; a USER reads them and edits itself.',
  },
  {
    name: 'Extensions',
    description: 'The numbers that softphones register as and calls are placed from.',
  },
  { name: 'Calls', description: 'Placing, following and finding calls.' },
  { name: 'Recordings', description: 'Listening to calls, and who did.' },
  {
    name: 'Caller ids',
    description: 'The numbers that the account may show to those it calls, each proved by a spoken code.',
  },
  {
    name: 'Credit',
    description:
      'Balance, statement and prices. Prepaid: calls hold credit before they use it, and can never take it below zero.',
  },
  { name: 'Charges', description: 'Topping up credit, and whom the charges are made out to.' },
  { name: 'Integrations', description: 'What people have told to other systems, by signed webhooks.' },
  { name: 'Events', description: 'The log of what happened, to be read, followed and checked.' },
  { name: 'Audit', description: 'Who changed what.' },
  { name: 'Description', description: 'This document.' },
] as const;
