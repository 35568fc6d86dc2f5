import { fieldTable, inCell, typeOf } from './field-table.ts';
import { type Description, type Operation, type Route, routesOf, type Schema, slugOf } from './openapi.ts';

export type Pages = Record<string, string>;

const generatedNote = 'This page is generated from the code by `node tools/api-docs.ts`.';

/** Generates one page per group of operations, and an index page. */
export function apiPages(description: Description): Pages {
  const routes = routesOf(description);
  const groups = description.tags.map((tag) => ({
    ...tag,
    file: `${slugOf(tag.name)}.md`,
    routes: routes.filter(({ operation }) => operation.tags.includes(tag.name)),
    webhooks: Object.entries(description.webhooks).filter(([, { post }]) => post.tags.includes(tag.name)),
  }));
  const index = [
    '# API reference',
    `${generatedNote} Every installation serves an interactive version at \`/docs\`, and the OpenAPI 3.1 description at \`/api/v1/openapi.json\`. All paths start with \`/api/v1\`.`,
    ...groups.map(
      (group) => `## [${group.name}](./${group.file})\n\n${group.description}\n\n${listOf(group)}`,
    ),
    '## Conventions',
    readable(description.info.description),
  ];
  const pages = groups.map((group): [string, string] => [
    group.file,
    [
      `# ${group.name}`,
      group.description,
      generatedNote,
      ...group.routes.map(operationText),
      ...group.webhooks.map(webhookText),
    ]
      .join('\n\n')
      .concat('\n'),
  ]);
  return { 'index.md': index.join('\n\n').concat('\n'), ...Object.fromEntries(pages) };
}

interface Group {
  file: string;
  routes: Route[];
  webhooks: Webhook[];
}

type Webhook = [type: string, Description['webhooks'][string]];

const listOf = ({ routes, webhooks, file }: Group): string =>
  [
    ...routes.map(
      ({ method, path, operation }) =>
        `- [\`${method} ${path}\`](./${file}#${anchorOf(method, path)}): ${operation.summary}`,
    ),
    ...webhooks.map(([type, { post }]) => `- [\`${type}\`](./${file}#${type}): ${post.summary}`),
  ].join('\n');

const anchorOf = (method: string, path: string): string =>
  `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function operationText({ method, path, operation }: Route): string {
  const parts = [
    `## ${operation.summary} {#${anchorOf(method, path)}}`,
    `\`\`\`http\n${method} /api/v1${path}\n\`\`\``,
    `**Operation:** \`${operation.operationId}\``,
    `**Access:** ${whoMay(operation)}`,
    readable(operation.description ?? ''),
    parameterText(operation),
    bodyText('Body', jsonOf(operation.requestBody?.content)),
    responseText(operation),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function webhookText([type, { post }]: Webhook): string {
  const media = post.requestBody?.content['application/json'];
  const parts = [
    `## ${post.summary} {#${type}}`,
    `**Event type:** \`${type}\``,
    readable(post.description ?? ''),
    parameterText(post),
    bodyText('Body', media?.schema),
    `\`\`\`json\n${JSON.stringify(media?.example, null, 2)}\n\`\`\``,
  ];
  return parts.join('\n\n');
}

function whoMay({ 'x-access': access, 'x-permission': permission }: Operation): string {
  if (permission !== undefined) return `ADMINs, and USERs with the permission \`${permission}\`.`;
  if (access === 'ADMIN') return 'ADMINs.';
  return access === 'USER' ? 'every user of the account.' : 'everyone, without a token.';
}

function parameterText({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (each) =>
      `| \`${each.name}\` | ${each.in} | ${typeOf(each.schema)}${each.required ? '' : ', optional'} | ${inCell(each.description ?? each.schema.description ?? '')} |`,
  );
  return ['| Parameter | In | Type | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function bodyText(title: string, schema: Schema | undefined): string {
  const table = fieldTable(schema);
  return table === '' ? '' : `**${title}**${nameText(schema)}\n\n${table}`;
}

function nameText(schema: Schema | undefined): string {
  if (schema?.type === 'array')
    return schema.items?.['x-schema'] ? `: a list of \`${schema.items['x-schema']}\`` : ' (a list)';
  return schema?.['x-schema'] ? `: \`${schema['x-schema']}\`` : '';
}

function responseText({ responses }: Operation): string {
  const successful = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const successes = successful.map(
    ([status, response]) =>
      bodyText(`Response ${status}`, jsonOf(response.content)) || `**Response ${status}**`,
  );
  const rows = errors.map(([status, response]) => `| ${status} | ${inCell(response.description)} |`);
  const table = ['**Errors**', '', '| Status | When |', '|---|---|', ...rows].join('\n');
  return [...successes, rows.length > 0 ? table : ''].filter((part) => part !== '').join('\n\n');
}

const jsonOf = (content: Record<string, { schema?: Schema }> | undefined): Schema | undefined =>
  content?.['application/json']?.schema;

/** Escapes only text that the page would read as markup; descriptions are already Markdown. */
const readable = (text: string): string =>
  text.replaceAll('{{', '&#123;&#123;').replaceAll(/<(?=[a-z/])/gi, '&lt;');
