import { type Scope, scopes } from '../../server/src/platform/scopes.ts';
import { type Description, type Route, routesOf } from './openapi.ts';

/** What each scope is for. A scope without a row does not compile. */
const meanings: Record<Scope, string> = {
  'calls:place': 'place and end calls, list caller IDs, open the phone of a browser',
  'calls:read': 'list, search, export and summarise calls, with their prices',
  recordings: 'links to recordings in calls and events, and the access log of recordings',
  extensions: 'list, create, change and remove extensions; for an ADMIN with their SIP passwords',
  users: 'list, create, change and remove users, ADMINs too',
  webhooks:
    'integrations, their secrets and deliveries, whose bodies contain links to recordings; the event log',
  money: 'balance, statement, prices, charges and billing details',
  account: 'settings and limits of the account, caller IDs, audit log and request log',
};

/** Lists every route with the scope that it needs. */
export function scopePage(description: Description): string {
  const routes = routesOf(description).filter(({ operation }) => operation['x-access'] !== 'PUBLIC');
  const explained = scopes.map((scope) => `| \`${scope}\` | ${meanings[scope]} |`);
  return `# Scopes

A token with [scopes](../guides/tokens.md) may use only the routes of its scopes; others return 403 \`TOKEN_SCOPE_MISSING\`. A token without scopes may use all routes that the role and the [permissions](../guides/permissions.md) of its user allow.

This page is generated from the declarations of the routes by \`node tools/api-docs.ts\`.

| Scope | Allows |
|---|---|
${explained.join('\n')}

## Routes

\`any\` is a route for every token, \`full\` one for tokens without scopes only. \`HEAD\` needs the scope of \`GET\`. Routes that need no token are not listed.

| Route | Role | ${scopes.map((scope) => `\`${scope}\``).join(' | ')} | Service tokens |
|---|---|${scopes.map(() => '---|').join('')}---|
${routes.map(row).join('\n')}
`;
}

function row({ method, path, operation }: Route): string {
  const needed = operation['x-scope'];
  const cells = scopes.map((scope) =>
    needed === 'any' || needed === scope ? 'yes' : needed === 'full' ? 'full' : '',
  );
  const service = operation['x-service-tokens'] ? 'yes' : '';
  const permission = operation['x-permission'];
  const role = permission ? `ADMIN, or USER with \`${permission}\`` : operation['x-access'];
  return `| \`${method} ${path}\` | ${role} | ${cells.join(' | ')} | ${service} |`;
}
