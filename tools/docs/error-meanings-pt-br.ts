import { problems } from '../../console/src/locales/pt-BR/problems.ts';

/** Meanings for API clients in Portuguese, where the console's text is about the page. */
const forClients: Record<string, string> = {
  ACCOUNT_LIMIT:
    'A conta atingiu um limite, indicado na mensagem. Remova algo antes ou peça mais ao operador do serviço. `GET /accounts/limits` retorna todos os limites.',
  AUTHORIZATION_REQUIRED: 'A requisição não tem token. Envie um em `Authorization`.',
  CAPACITY_EXCEEDED:
    'A conta atingiu o limite de chamadas simultâneas ou de novas chamadas por segundo, ou o usuário tem 5 streams de eventos ou uma exportação em andamento, ou um host recebeu testes demais de webhooks que ainda não aceitou. Aguarde o fim de uma chamada, de um stream ou da exportação, ou o tempo indicado em `Retry-After`.',
  IDEMPOTENCY_KEY_REUSED:
    'O `Idempotency-Key` foi usado com outro corpo. Repita a primeira requisição sem alterações ou use uma nova chave.',
  INVALID_FILTER: 'O filtro não é válido. `details` lista todos os erros.',
  INVALID_TOKEN: 'O token é desconhecido, expirou ou foi revogado. Faça login novamente ou crie um token.',
  FACTOR_LIMIT: 'O usuário tem 10 segundos fatores. Remova um antes de adicionar outro.',
  LOGIN_FAILED: 'O e-mail ou a senha está incorreto.',
  MALFORMED_REQUEST: 'A requisição é malformada. Envie um corpo em JSON válido e UTF-8.',
  METHOD_NOT_ALLOWED: 'O caminho existe, mas não com este método. `Allow` lista os métodos.',
  PROOF_REQUIRED:
    'O último login ou a última confirmação de identidade com este token tem mais de 10 minutos. Envie `POST /users/me/proof` e repita a requisição.',
  RATE_LIMITED:
    'O limite de requisições foi excedido. Aguarde o número de segundos indicado em `RateLimit-Reset`.',
  RECORDING_LINK_EXPIRED: 'O link da gravação expirou. Consulte a chamada novamente para obter outro.',
  SECOND_FACTOR_REQUIRED:
    'O usuário tem um segundo fator. Envie um código em `otp`; `details` lista os campos que o usuário pode enviar.',
  SECOND_FACTOR_SETUP_REQUIRED:
    'A conta exige um segundo fator dos ADMINs, e o usuário não tem nenhum. Entre no console e adicione um.',
  SERVICE_UNAVAILABLE:
    'O serviço está temporariamente indisponível. Repita após os segundos indicados em `Retry-After`.',
  TOKEN_ADDRESS_NOT_ALLOWED:
    'O token não pode ser usado a partir deste endereço. Use-o de um dos endereços permitidos. Se a requisição não foi sua, revogue o token.',
  TOKEN_LIMIT: 'O usuário tem 45 tokens ativos. Revogue um antes de criar outro.',
  TOKEN_SCOPE_MISSING:
    'O token não tem o escopo de que a rota precisa, indicado na mensagem. Crie um token com ele.',
  UNKNOWN_PARAMETER:
    'A query string tem um parâmetro desconhecido. A mensagem informa o nome válido mais próximo.',
  UNSUPPORTED_MEDIA_TYPE:
    'O corpo não é JSON, ou o charset não é UTF-8. Envie `Content-Type: application/json`.',
  VALIDATION_ERROR: 'A requisição tem campos inválidos. `details` lista todos os erros.',
};

/** What each error code means and what to do, for the error catalogue in Portuguese. */
export const errorMeaningsInPortuguese: Record<string, string> = { ...problems.codes, ...forClients };
