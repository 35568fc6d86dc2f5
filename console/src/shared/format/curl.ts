import { apiPath } from '../../api/client.ts';

/** curl command that sends a JSON body to the API, by POST unless another method is given. */
export const curlWithBody = (path: string, body: string, method?: 'PUT' | 'PATCH'): string =>
  [
    `curl ${method ? `-X ${method} ` : ''}${location.origin}${apiPath}${path}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d '${body}'`,
  ].join(' \\\n  ');

/** curl command that places a call. */
export const placeCallCurl = (ramal: string): string =>
  curlWithBody('/calls', `{"extension": "${ramal}", "called": "5511987654321"}`);
