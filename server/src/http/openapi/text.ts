/** General rules for developers. Rules of a single operation are documented there. */
export const introduction = `Disca places calls from within a CRM. This is its API.

**Tokens.** Every request, except to operations marked "No token required", carries an access token: alone or after
\`Bearer\` in \`Authorization\`, or in \`X-Access-Token\`; never in the query string. Without a token the response is 401
\`AUTHORIZATION_REQUIRED\`; with one that is unknown, expired or revoked, 401 \`INVALID_TOKEN\`.

**Roles.** An ADMIN may do everything in the account. A USER can read the account and its users, place calls, edit their own
profile and manage their own resources, such as tokens. For a USER, every other write and everything about the account's
money returns 403 \`ACCESS_DENIED\`.

**Permissions.** An ADMIN decides for each USER (\`PUT /users/{uuid}/permissions\`): \`calls\`, their \`own\` or \`all\`;
\`recordings\`, \`none\`, their \`own\` or \`all\`; \`money\`, which admits to balance, statement, charges and billing details;
\`webhooks\`, without which integrations are refused; and \`supervision\`, with which the events of all calls are returned and
all calls can be ended. Without a decision \`usersSee\` of the account applies to calls and recordings: \`own\` in new accounts.
A call is a user's own if an extension of the user made it or received it from outside, or the user requested it. Other calls
return 404, and lists, searches, exports and summaries leave them out. Without a permission for recordings \`record_url\` and \`recordUrl\` are
null. Permissions never add to the scopes of a token, and limit neither ADMINs nor service tokens. They apply from the next
request. Links to recordings name the person to whom they were issued.

**Scopes.** A token can be created with \`scopes\`: \`calls:place\`, \`calls:read\`, \`recordings\`, \`extensions\`, \`users\`,
\`webhooks\`, \`money\` and \`account\`. Every operation names the one that it needs; a token that has scopes, but not this one,
gets 403 \`TOKEN_SCOPE_MISSING\`. Without the scope \`recordings\`, calls and events have no links to recordings. Scopes never
exceed the role of the user. A token without scopes may do everything that its user may. Only tokens without scopes create,
list and revoke tokens, change the password and read the context of the user. Every token can log out and read its user.
A token can also be limited to \`allowedAddresses\`: from elsewhere it gets 403 \`TOKEN_ADDRESS_NOT_ALLOWED\`, which counts
against the limit of the address and not of the user. Service tokens belong to the account and act as ADMIN within their
scopes; operations that concern a user refuse them with 403 \`ACCESS_DENIED\`.

**Accounts** are in test or live mode; only the operator switches between them. A test account calls the simulated carrier
and pays at the sandbox. Its test credit is kept in a separate ledger: live calls never spend it, and switching the mode does
not transfer it. The operator can export an account's data, erase a person's data (numbers and names are replaced, amounts
and counts stay) and close an account. When an account is blocked, its calls end and its requests are refused with 401.

**Bodies** are JSON. A resource may be sent back as it was read: read-only fields are ignored. In a PATCH, absent fields stay
unchanged, and null or \`""\` clears an optional one; in a creation, both count as absent. A field that always has a value
cannot be cleared. Where a field has one type, a number may be sent as a string and the reverse, and a boolean as \`"true"\` or
\`"false"\`; values inside \`metadata\` and \`webhookConstraint\` are not converted. Creating returns 200 with the object
(sign-up 201); success without a body is 204. A body that is malformed or not UTF-8 is 400, one over 64 kB is 413, and one whose
\`Content-Type\` is not JSON or names another charset is 415.

**Strict and lenient requests.** By default an unknown body field is refused with 422 and an unknown query parameter with 400;
the error names the nearest valid one. With \`Prefer: handling=lenient\` (RFC 7240), or if the account's \`requestHandling\` is
\`lenient\`, they are ignored, and \`Disca-Ignored\` names them, percent-encoded and separated by commas, in at most 1 kB.
\`Prefer: handling=strict\` overrides the account. \`Preference-Applied\` names the preference that was applied and marks every
lenient response. Before authentication, as in a login, only \`Prefer\` counts; requests of the console are always strict.
Unknown fields inside a \`filter\` are refused in both, because they change what is returned.

**Methods.** \`HEAD\` is available wherever \`GET\` is, with its authentication, limits, errors and headers; it is described
below only where it differs. A path may end with a slash. Another method on a known path is 405 \`METHOD_NOT_ALLOWED\` with
\`Allow\`, whatever the token and the object; \`OPTIONS\` is 204 with \`Allow\`. An unknown path is 404.

**Browsers.** Pages of every origin can use the API with a token: responses and errors carry \`Access-Control-Allow-Origin: *\`
and expose their headers, and preflight requests are not rate limited. Credentials are never allowed: the console's cookie
works only on the console's own pages. Give a page only a token of the user who opens it.

**Errors** always have the form \`{"error":{"statusCode","errorCode","name","message","details"?}}\`, unknown routes
included. Branch on \`errorCode\`, which is stable. A value that is missing, out of range, malformed or already in use returns
422 \`VALIDATION_ERROR\`; its \`details\` are an array of \`{path, code, message}\` with every error of the request (up to a
hundred), duplicates included, not only the first. An invalid sign-up is checked for
duplicates at most 20 times per hour and address. Objects of
other accounts return the same response as objects that do not exist. A 5xx reveals no internals, and the \`Retry-After\` of
a 503 says when to retry. With several machines of each kind, the loss of
one loses nothing that was accepted, except the rest of the calls on a lost media node. Every response carries \`X-Request-Id\`.

**Compression.** A JSON response of 2 kB or more is compressed with \`br\` or \`gzip\` if \`Accept-Encoding\` allows it. Event
streams, recordings, exports and responses with tokens, passwords or secrets are never compressed.

**Times** are ISO 8601 in UTC, with \`Z\`. **Money** is a number of Brazilian reais.

**Limits** are counted in fixed windows of one minute, shared by all nodes. Every response, errors included, carries
\`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; a 429 also carries \`Retry-After\`. Every operation states its
limit: those limited to 60 per IP address share one bucket, and so do those limited to 60 per user, which counts all tokens
of the user together. A request without a valid token counts against its IP address on every route. The address is that of
the connection, or the one our own proxy saw; \`X-Forwarded-For\` from other clients is ignored. IPv6 clients count per /64.
While the shared counters are unavailable, every node counts separately. This description, /docs, health checks and signed
links are not limited. If a request has several errors, they are checked in this order: the address limit, 413, 415 and 400,
404 of an unknown path, 405, 401 and the allowed addresses of the token, the user limit, the requests of the account, the
role, the scope, 422, idempotency, 404, other 403, 402, 424, 409, capacity.

**Webhooks.** An integration with \`webhook\` true receives call events by POST: \`channel-answer\` and \`channel-hangup\`, and,
if listed in \`webhookTypes\`, \`channel-create\`, \`channel-ringing\`, \`channel-hold\`, \`channel-unhold\`, \`channel-transfer\`,
\`channel-conference\`, \`call-priced\`, \`recording-ready\`, \`charge-paid\` and \`balance-low\`, which fires once when the balance falls below the account's threshold. \`webhookConstraint\`, flat or under
\`metadata\`, excludes calls whose metadata does not contain it. \`version\` is the configured \`webhookVersion\`; nothing else
depends on it. Times are \`YYYY-MM-DD HH:MM:SS\` in the account's time zone, given in \`timezone\`, and also in ISO 8601 as
\`startedAtIso\`, \`answeredAtIso\` and \`endedAtIso\`. \`hangupCauseCode\` is the number of \`hangupCause\`, as a string.
\`channel-answer\` has no end fields. \`recordUrl\` is valid for 24 hours from each attempt, and null without a recording. Each
message is signed according to Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). A 2xx within 15 s
completes the delivery; anything else, redirects included, is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h
and 24 h, each with up to 20 % jitter. 410 disables the webhook, and so do 5 days in which every delivery fails; the owner is
then notified by e-mail. Only public addresses, checked on every connection, and networks that the operator allows are called.

**Lists** take \`filter\`, a JSON object with \`where\`, \`order\`, \`limit\`, \`offset\` (or \`skip\`), \`fields\` and \`include\`,
or its bracket form, as in \`filter[where][ramal]=1000&filter[limit]=10\`; not both. An empty \`filter\` is no filter.
\`where\` supports \`and\`, \`or\`, \`eq\` (also implied), \`neq\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`between\`, \`inq\`, \`nin\`, \`exists\`,
the case-sensitive \`like\` and \`nlike\`, and the case-insensitive \`ilike\` and \`nilike\`. Their wildcards are \`%\` and \`_\`:
\`{"phone":{"like":"%4321%"}}\` finds part of a number. Several operators on one field must all match. \`regexp\` is refused: use
\`ilike\`. A value without an operator finds names and e-mail addresses regardless of case and accents, and telephone numbers in
every notation; \`eq\`, \`neq\` and \`inq\` compare exactly. A number may be given as a string and a string as a number, except in
\`metadata\`, whose values in brackets are strings. A date without a time is the whole day in the account's time zone, and
\`YYYY-MM-DD HH:MM:SS\` the whole second; in \`dueDate\` of charges both are in Sao Paulo. \`order\` is \`"field DESC"\` or an array of such strings; without it the newest items come first. \`fields\` names the
fields to return; \`include\` adds related objects that the operation lists. An unknown field, operator or include
returns 400 and names the nearest valid one. A filter that is not an object, or
exceeds 4 kB, 5 levels, 50 conditions or 100 values in \`inq\`, returns 400 \`INVALID_FILTER\`. Pages start at 1 and have 100 items, or
\`limit\` from 1 to 100; array lists also take \`limit\` and \`offset\` as parameters, return at most 1,000 items and report the
total in \`X-Total-Count\`. A higher \`limit\` counts as the maximum. A total that cannot be counted within a second is estimated, marked by \`X-Total-Estimated: true\`; a
filter that would run too long returns 400 \`FILTER_TOO_EXPENSIVE\`.`;

/** The decisions that the introduction documents for all operations. */
export const generalClauses = [
  ...['ABUSE-01', 'ABUSE-02', 'ABUSE-03', 'ABUSE-04', 'ABUSE-05', 'ABUSE-06', 'ABUSE-07'],
  ...['ACCT-05', 'ACCT-07', 'ACCT-08', 'ACCT-09'],
  ...['AUTH-04', 'AUTH-05', 'AUTH-14', 'AUTH-15', 'AUTH-16'],
  ...['PERM-03', 'PERM-05', 'PERM-08', 'PERM-11'],
  ...['CALL-53', 'CALL-54', 'CALL-59', 'CALL-60', 'CALL-61', 'CALL-62', 'CALL-64', 'CALL-81', 'CALL-87'],
  ...['CALL-88', 'CONTACT-07', 'CONTACT-09'],
  ...['PRESENCE-10', 'PRESENCE-11', 'PRESENCE-12', 'PRESENCE-13'],
  ...['COMPAT-01', 'COMPAT-02', 'COMPAT-03', 'COMPAT-04', 'COMPAT-05', 'COMPAT-06', 'COMPAT-07', 'COMPAT-08'],
  ...['COMPAT-09', 'COMPAT-10'],
  ...['ERR-03', 'ERR-04', 'ERR-05', 'ERR-06', 'ERR-07', 'ERR-08', 'ERR-09', 'ERR-10', 'ERR-11', 'ERR-12'],
  ...['ERR-13', 'ERR-14', 'ERR-15', 'ERR-17', 'ERR-18', 'ERR-19'],
  ...['EXT-23', 'EXT-24', 'EXT-25', 'EXT-27', 'EXT-28', 'EXT-30'],
  ...['FACTOR-14', 'FACTOR-15'],
  ...['HOOK-09', 'HOOK-10', 'HOOK-11', 'HOOK-12', 'HOOK-13', 'HOOK-14', 'HOOK-15', 'HOOK-16', 'HOOK-17'],
  ...['HOOK-18', 'HOOK-19', 'HOOK-23', 'HOOK-24', 'HOOK-29', 'HOOK-33', 'HOOK-34', 'HOOK-37'],
  ...[
    'LIMIT-09',
    'LIMIT-10',
    'LIMIT-11',
    'LIMIT-12',
    'LIMIT-13',
    'LIMIT-14',
    'LIMIT-15',
    'LIMIT-17',
    'LIMIT-21',
    'LIMIT-22',
    'LIMIT-25',
    'LIMIT-26',
    'LIMIT-27',
    'LIMIT-28',
    'LIMIT-29',
    'LIMIT-30',
    'LIMIT-31',
    'LIMIT-32',
    'LIMIT-34',
    'LIMIT-35',
  ],
  ...['LIST-08', 'LIST-09', 'LIST-10', 'LIST-11', 'LIST-12', 'LIST-13', 'LIST-14', 'LIST-15', 'LIST-16'],
  ...['LIST-17', 'LIST-20', 'LIST-22', 'LIST-23', 'LIST-24', 'LIST-26'],
  ...['MANUAL-01', 'MANUAL-02', 'MANUAL-03', 'MANUAL-04', 'MANUAL-05'],
  ...['NODE-01', 'NODE-02'],
  ...['OPER-01', 'OPER-02', 'OPER-03', 'OPER-04', 'OPER-05', 'OPER-06', 'OPER-07', 'OPER-08'],
  ...['OPER-09', 'OPER-10', 'OPER-11', 'OPER-12', 'OPER-13', 'OPER-14', 'OPER-15', 'OPER-16'],
  ...['SIGNUP-25', 'SIGNUP-33'],
  ...['REST-01', 'REST-02', 'REST-03', 'REST-04', 'REST-05', 'REST-06'],
  ...['TOKEN-16', 'TOKEN-17', 'TOKEN-18', 'TOKEN-19', 'TOKEN-22'],
];

export const tags = [
  {
    name: 'Access',
    description:
      'Login, logout, passwords, second factors, access tokens and service tokens. Send a token in `Authorization`, alone or after `Bearer`, or in `X-Access-Token`; never in the query string.',
  },
  { name: 'Console', description: 'The session of the web console, whose token is a cookie.' },
  { name: 'Accounts', description: 'Sign-up, and the account itself.' },
  {
    name: 'Users',
    description: 'Users of the account. ADMINs manage them; a USER can read them and edit their own data.',
  },
  {
    name: 'Extensions',
    description:
      'Numbers that softphones register as and calls are placed from. A softphone that sends more than 60 SIP requests outside of calls in two seconds gets no response, and every request needs credentials of its own.',
  },
  { name: 'Calls', description: 'Place, follow and find calls.' },
  { name: 'Recordings', description: 'Call recordings and their access log.' },
  { name: 'Contacts', description: 'Names and deals of the numbers with which the account has calls.' },
  {
    name: 'Caller ids',
    description: 'Numbers that the account may show as caller ID, each verified by a spoken code.',
  },
  {
    name: 'Credit',
    description:
      'Balance, statement and rates. Accounts are prepaid: calls hold credit before they use it, and never take the balance below zero.',
  },
  { name: 'Charges', description: 'Credit top-ups and billing details.' },
  { name: 'Integrations', description: 'Signed webhooks to your systems.' },
  { name: 'Webhooks', description: 'Requests that we send to the `webhookUrl` of integrations.' },
  { name: 'Events', description: 'The event log: read, stream and reconcile it.' },
  { name: 'Audit', description: 'The audit log.' },
  { name: 'Requests', description: 'The request log: your own refused requests and writes.' },
  { name: 'Description', description: 'This document.' },
] as const;
