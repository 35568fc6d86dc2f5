import { statusOf } from '../../server/src/http/problems.ts';
import { errorCodes } from '../../server/src/platform/errors.ts';
import { errorMeanings } from './error-meanings.ts';
import { errorMeaningsInPortuguese } from './error-meanings-pt-br.ts';
import { type Description, routesOf } from './openapi.ts';

/** Gives the column of meanings enough room (`theme/disca.css`). */
const pageClass = `---
pageClass: error-catalogue
---
`;

const example = `\`\`\`json
{
  "error": {
    "statusCode": 402,
    "errorCode": "INSUFFICIENT_CREDIT",
    "name": "PaymentRequired",
    "message": "…",
    "details": [{ "path": "called", "code": "required", "message": "…" }]
  }
}
\`\`\``;

/** Lists every error code with its status, its meaning, and the operations that return it. */
export function errorPage(description: Description): string {
  return `${pageClass}
# Error catalogue

All error responses have the same format:

${example}

Act on \`errorCode\`, whose meaning never changes. \`message\` is for people and may change. \`details\` is present with \`VALIDATION_ERROR\` and lists every invalid field; with \`SECOND_FACTOR_REQUIRED\` it lists the fields that the user can send. Quote \`X-Request-Id\` in support requests.

Retry after 429, 503 and 409 \`IDEMPOTENCY_CONFLICT\`, after the seconds in \`Retry-After\`. Retry after a lost connection if the request has an \`Idempotency-Key\` or changes nothing. Do not retry after other errors, because the request would be refused again.

This page is generated from the code by \`node tools/api-docs.ts\`.

| Code | Status | Meaning and what to do | Returned by |
|---|---|---|---|
${rows(description, errorMeanings, 'many')}
`;
}

/** The same page in Portuguese. The messages of the API stay in English. */
export function errorPageInPortuguese(description: Description): string {
  return `${pageClass}
# Catálogo de erros

Todas as respostas de erro têm o mesmo formato:

${example}

Decida pelo \`errorCode\`, cujo significado nunca muda. \`message\` é para pessoas, está em inglês e pode mudar. \`details\` acompanha \`VALIDATION_ERROR\` e lista todos os campos inválidos; com \`SECOND_FACTOR_REQUIRED\`, lista os campos que o usuário pode enviar. Informe o \`X-Request-Id\` em pedidos de suporte.

Repita a requisição após 429, 503 e 409 \`IDEMPOTENCY_CONFLICT\`, passados os segundos indicados em \`Retry-After\`. Repita após uma queda de conexão se a requisição tem um \`Idempotency-Key\` ou não altera nada. Não repita após outros erros, porque a requisição seria recusada de novo.

Esta página é gerada a partir do código por \`node tools/api-docs.ts\`.

| Código | Status | Significado e o que fazer | Retornado por |
|---|---|---|---|
${rows(description, errorMeaningsInPortuguese, 'várias')}
`;
}

function rows(description: Description, meanings: Record<string, string>, many: string): string {
  const routes = routesOf(description);
  return errorCodes
    .map((code) => {
      const returning = routes.filter(({ operation }) =>
        Object.values(operation.responses).some((response) => response.description.includes(`\`${code}\``)),
      );
      const where =
        returning.length > 6 || returning.length === 0
          ? many
          : returning.map(({ method, path }) => `\`${method} ${path}\``).join(', ');
      return `| \`${code}\` | ${statusOf(code)} | ${meanings[code] ?? ''} | ${where} |`;
    })
    .join('\n');
}
