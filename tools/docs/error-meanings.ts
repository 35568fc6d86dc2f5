import { problems } from '../../console/src/locales/en/problems.ts';

/** Meanings for API clients, where the console's text is about the page. */
const forClients: Record<string, string> = {
  ACCOUNT_LIMIT:
    'The account has reached a limit, which the message names. Remove something first, or ask the operator for more. `GET /accounts/limits` returns all limits.',
  AUTHORIZATION_REQUIRED: 'The request has no token. Send one in `Authorization`.',
  CAPACITY_EXCEEDED:
    'The account has reached its limit of concurrent calls or of new calls per second, or the user has 5 event streams or an export running, or a host got too many tests of webhooks that it has not accepted. Wait until a call, a stream or the export ends, or as long as `Retry-After` says.',
  IDEMPOTENCY_KEY_REUSED:
    'The `Idempotency-Key` was used with another body. Repeat the first request unchanged, or use a new key.',
  INVALID_FILTER: 'The filter is not valid. `details` lists every error.',
  INVALID_TOKEN: 'The token is unknown, expired or revoked. Log in again, or create a token.',
  FACTOR_LIMIT: 'The user has 10 second factors. Remove one before adding another.',
  LOGIN_FAILED: 'The e-mail or the password is wrong.',
  MALFORMED_REQUEST: 'The request is malformed. Send a body of valid JSON in UTF-8.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method. `Allow` lists its methods.',
  PROOF_REQUIRED:
    'The last login or proof of identity with this token is older than 10 minutes. Send `POST /users/me/proof`, then repeat the request.',
  RATE_LIMITED: 'The rate limit is exceeded. Wait for the number of seconds in `RateLimit-Reset`.',
  RECORDING_LINK_EXPIRED: 'The recording link has expired. Request the call again to get a new link.',
  SECOND_FACTOR_REQUIRED:
    'The user has a second factor. Send a code in `otp`; `details` lists the fields that the user can send.',
  SECOND_FACTOR_SETUP_REQUIRED:
    'The account requires a second factor of ADMINs, and the user has none. Log in to the console and add one.',
  SERVICE_UNAVAILABLE: 'The service is temporarily unavailable. Retry after the seconds in `Retry-After`.',
  TOKEN_ADDRESS_NOT_ALLOWED:
    'The token must not be used from this address. Use it from one of its allowed addresses. If the request was not yours, revoke the token.',
  TOKEN_LIMIT: 'The user has 45 active tokens. Revoke one before creating another.',
  TOKEN_SCOPE_MISSING:
    'The token lacks the scope that the route needs, which the message names. Create a token with it.',
  UNKNOWN_PARAMETER: 'The query string has an unknown parameter. The message names the nearest valid one.',
  UNSUPPORTED_MEDIA_TYPE:
    'The body is not JSON, or its charset is not UTF-8. Send `Content-Type: application/json`.',
  VALIDATION_ERROR: 'The request has invalid fields. `details` lists every error.',
};

/** What each error code means and what to do, for the error catalogue. */
export const errorMeanings: Record<string, string> = { ...problems.codes, ...forClients };
