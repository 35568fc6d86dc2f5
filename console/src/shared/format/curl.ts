import { apiPath } from '../../api/client.ts';

/** curl command that sends a JSON body to the API. */
export const curlWithBody = (path: string, body: string): string =>
  [
    `curl ${location.origin}${apiPath}${path}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '${body}'`,
  ].join(' \\\n  ');

/** curl command that places a call. */
export const placeCallCurl = (ramal: string): string =>
  curlWithBody('/calls', `{"extension": "${ramal}", "called": "5511987654321"}`);
