import { problems } from '../../console/src/locales/en/problems.ts';
import { limitBuckets } from '../../server/src/contexts/limits/index.ts';
import { statusOf } from '../../server/src/http/problems.ts';
import { errorCodes } from '../../server/src/platform/errors.ts';
import { type Description, routesOf } from './openapi.ts';

const meanings: Record<string, string> = problems.codes;

/** Every code an answer may carry, with its status, its meaning for a person, and who may answer it. */
export function errorPage(description: Description): string {
  const routes = routesOf(description);
  const rows = errorCodes.map((code) => {
    const told = routes.filter(({ operation }) =>
      Object.values(operation.responses).some((response) => response.description.includes(`\`${code}\``)),
    );
    const where =
      told.length > 6 || told.length === 0
        ? 'many'
        : told.map(({ method, path }) => `\`${method} ${path}\``).join(', ');
    return `| \`${code}\` | ${statusOf(code)} | ${meanings[code] ?? ''} | ${where} |`;
  });
  return `# Error catalogue

Every refusal looks the same:

\`\`\`json
{
  "error": {
    "statusCode": 402,
    "errorCode": "INSUFFICIENT_CREDIT",
    "name": "PaymentRequired",
    "message": "…",
    "details": [{ "path": "called", "code": "required", "message": "…" }]
  }
}
\`\`\`

Act on \`errorCode\`, which never changes its meaning. \`message\` is for people and may. \`details\` is there with \`VALIDATION_ERROR\` and names every fault. Quote \`X-Request-Id\` when you ask for help.

Repeat a request after 429 and 503, when \`Retry-After\` says, and after a lost connection if it carries an \`Idempotency-Key\` or changes nothing. Do not repeat others: they will be refused again.

This page is generated from the code by \`node tools/api-docs.ts\`.

| Code | Status | What it means and what to do | Answered by |
|---|---|---|---|
${rows.join('\n')}
`;
}

const whoCounts = { address: 'IP address', user: 'user', extension: 'extension and user' };

/** How often whom may ask what. */
export function limitPage(): string {
  const rows = limitBuckets().map(({ routes, by, max, windowSeconds, successOnly }) => {
    const which =
      routes.length === 0 ? 'every other route, together' : routes.map((route) => `\`${route}\``).join(', ');
    const often = `${max} in ${windowSeconds === 60 ? 'a minute' : windowSeconds === 3600 ? 'an hour' : `${windowSeconds} s`}`;
    return `| ${which} | ${often}${successOnly ? ', successes only' : ''} | ${whoCounts[by]} |`;
  });
  return `# Limits

Every answer tells its own limit in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds); a 429 also says \`Retry-After\`. Windows are fixed. Routes in one row share one count.

This page is generated from the code by \`node tools/api-docs.ts\`.

| Routes | Requests | Counted by |
|---|---|---|
${rows.join('\n')}

Signed links to recordings, the description, \`/docs\` and health are not limited.

Calls have limits of their own: how many begin in a second, how many run at once, what a day may cost, what a minute may cost and which countries may be called. \`GET /accounts/limits\` tells an ADMIN those in force and how much is used. The operator sets them with \`disca caps\`.

A body is at most 64 kB, \`metadata\` 16 kB with 50 keys and 5 levels. A list answers at most 1,000 items, a page of calls 500. A user has at most 50 live tokens.
`;
}
