import { apiPath } from '../../api/client.ts';

/** How a call is placed without the console. */
export const placeCallCurl = (ramal: string): string =>
  [
    `curl ${location.origin}${apiPath}/calls -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`,
    `-d '{"extension": "${ramal}", "called": "5511987654321"}'`,
  ].join(' \\\n  ');
