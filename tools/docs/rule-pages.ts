import { budgetedResources, budgetTable, limitBuckets } from '../../server/src/contexts/limits/index.ts';

const whoCounts = { address: 'IP address', user: 'user', extension: 'extension and user' };

/** Lists the rate limits of all routes. */
export function limitPage(): string {
  const rows = limitBuckets().map(({ routes, by, max, windowSeconds, validOnly }) => {
    const which =
      routes.length === 0 ? 'all other routes, together' : routes.map((route) => `\`${route}\``).join(', ');
    const often = `${max} ${windowSeconds === 60 ? 'per minute' : windowSeconds === 3600 ? 'per hour' : `per ${windowSeconds} s`}`;
    return `| ${which} | ${often}${validOnly ? ', valid fields only' : ''} | ${whoCounts[by]} |`;
  });
  return `# Limits

Every response includes its limit in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds); a 429 also has \`Retry-After\`. Windows are fixed. Routes in one row share one counter.

This page is generated from the code by \`node tools/api-docs.ts\`.

| Routes | Requests | Counted by |
|---|---|---|
${rows.join('\n')}

\`HEAD\` counts as \`GET\`, unless it is listed. Requests of the console's pages have their own limit of 300 per minute and session, instead of those of 60 and that of \`GET /calls\`. Requests to unknown paths and with unknown methods count against the 60 of their IP address. Signed recording URLs, the API description, preflight requests of browsers, \`/docs\` and health checks are not limited.

Calls have separate limits: new calls per second, concurrent calls, spend per day, price per minute and allowed countries. \`GET /accounts/limits\` returns the limits and current usage to ADMINs. The operator sets them with \`disca caps\`.

Every account has a budget of what accounts share. A request for more is refused with 409 \`ACCOUNT_LIMIT\`; for calls at once with 429 \`CAPACITY_EXCEEDED\` and for requests per second with 429 \`RATE_LIMITED\`. These are the defaults; the operator changes them, and those of an account, with \`disca budgets\`. Accounts that are older than a budget have none of it until the operator sets it, for one account or for all (\`disca budgets reset\`).

| Budget | Counted | Test account | Live account |
|---|---|---|---|
${budgetRows()}

A body is at most 64 kB, \`metadata\` 16 kB with 50 keys and 5 levels. A list returns at most 1,000 items, a page of calls 500. A user runs one export at a time; the exports of an API process together read at most 5,000 calls per second. A user has at most 50 active tokens, 45 of them created with \`POST /users/accessTokens\`. At that limit a login revokes the least recently used token of an earlier login, never a created one and never one with an open phone session. A service token counts as one user.
`;
}

const budgetRows = (): string =>
  budgetedResources
    .map((resource) => {
      const { unit, test, live } = budgetTable[resource];
      const shown = (most: number | null): string => most?.toLocaleString('en') ?? 'none';
      return `| \`${resource}\` | ${unit} | ${shown(test)} | ${shown(live)} |`;
    })
    .join('\n');
