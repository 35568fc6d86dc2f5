import type { DialRequest, PhoneRoute } from '../../contexts/telephony/index.ts';

type Route = DialRequest['destination']['routes'][number];

/** Returns the endpoint in `deploy/asterisk/edges.conf.each` for this edge and kind of media. */
export const endpointOf = ({ edge, media }: PhoneRoute): string => `edge-${edge}-${media}`;

/** Returns the request that originates a call; `deploy/asterisk/extensions.conf` reads its variables. */
export function originateBody(request: DialRequest): object {
  const { callId, extension, destination, speech } = request;
  const [first] = destination.routes;
  if (!first) throw new Error('A call needs a route.');
  const common = {
    __CALL_ID: callId,
    FUNDED: String(request.fundedSeconds),
    RECORD: request.record ? 'wav' : '',
    'PJSIP_HEADER(add,X-Disca-Call-Id)': callId,
  };
  if (!extension) {
    return {
      endpoint: trunkEndpoint(first),
      context: speech ? 'speak-code' : 'trunk-test',
      extension: 's',
      priority: 1,
      timeout: destination.ringSeconds,
      callerId: first.callerId,
      variables: {
        ...common,
        ...(speech ? { CODE: speech.code, LANGUAGE: speech.locale } : {}),
        ...(first.endpoint.endsWith('-srtp') ? { SECURE: '1' } : {}),
      },
    };
  }
  return {
    endpoint: `PJSIP/${endpointOf(extension.way)}/sip:${extension.ramal}@${extension.domain}`,
    // Without formats the engine would offer its default codecs, which Brazilian carriers do not support.
    formats: extension.way.media === 'webrtc' ? 'opus,alaw,ulaw' : 'alaw,ulaw',
    context: extension.way.media === 'srtp' ? 'c2c-secure' : 'c2c',
    extension: 's',
    priority: 1,
    timeout: extension.ringSeconds,
    // The other party's number, which the softphone shows while it rings.
    callerId: destination.number,
    variables: {
      ...common,
      'PJSIP_HEADER(add,X-Disca-Not-After)': String(request.notAfter),
      ...(extension.autoAnswer ? autoAnswer : {}),
      RING: String(destination.ringSeconds),
      ...trunkVariables(destination.routes),
      CLI_1: first.callerId,
    },
  };
}

export const trunkEndpoint = (route: Route): string =>
  `PJSIP/${route.endpoint}/sip:${route.number}@${uriAddress(route)}`;

/** Returns the variables of the trunk and of the fallback trunk. */
export function trunkVariables([first, second]: readonly Route[]): Record<string, string> {
  return {
    DEST: first?.number ?? '',
    CLI: first?.callerId ?? '',
    TRUNK_1: first ? uriAddress(first) : '',
    CARRIER_1: first?.endpoint ?? '',
    DEST_2: second?.number ?? '',
    TRUNK_2: second ? uriAddress(second) : '',
    CARRIER_2: second?.endpoint ?? '',
    CLI_2: second?.callerId ?? '',
  };
}

const uriAddress = ({ address, transport }: Route): string =>
  transport === 'udp' ? address : `${address};transport=${transport}`;

const autoAnswer = {
  'PJSIP_HEADER(add,Alert-Info)': 'info=alert-autoanswer;delay=0',
  'PJSIP_HEADER(add,Call-Info)': 'answer-after=0',
};
