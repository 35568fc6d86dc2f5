import { apiPath } from '../../api/client.ts';

/** curl command that places a call through the API. */
export const placeCallCurl = (ramal: string): string =>
  [
    `curl ${location.origin}${apiPath}/calls -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`,
    `-d '{"extension": "${ramal}", "called": "5511987654321"}'`,
  ].join(' \\\n  ');
