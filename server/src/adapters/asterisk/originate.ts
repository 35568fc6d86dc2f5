import type { DialRequest, PhoneRoute } from '../../contexts/telephony/index.ts';

/** Returns the endpoint in `deploy/asterisk/edges.conf.each` for this edge and kind of media. */
export const endpointOf = ({ edge, media }: PhoneRoute): string => `edge-${edge}-${media}`;

/** Returns the request that originates a call; `deploy/asterisk/extensions.conf` reads its variables. */
export function originateBody(request: DialRequest): object {
  const { callId, extension, destination, speech } = request;
  const [first, second] = destination.routes;
  if (!first) throw new Error('A call needs a route.');
  const common = {
    __CALL_ID: callId,
    FUNDED: String(request.fundedSeconds),
    RECORD: request.record ? 'wav' : '',
    'PJSIP_HEADER(add,X-Disca-Call-Id)': callId,
  };
  if (!extension) {
    return {
      endpoint: `PJSIP/carrier/sip:${first.number}@${first.address}`,
      context: speech ? 'speak-code' : 'trunk-test',
      extension: 's',
      priority: 1,
      timeout: destination.ringSeconds,
      callerId: first.callerId,
      variables: { ...common, ...(speech ? { CODE: speech.code, LANGUAGE: speech.locale } : {}) },
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
      DEST: first.number,
      CLI: first.callerId,
      TRUNK_1: first.address,
      CLI_1: first.callerId,
      DEST_2: second?.number ?? '',
      TRUNK_2: second?.address ?? '',
      CLI_2: second?.callerId ?? '',
    },
  };
}

const autoAnswer = {
  'PJSIP_HEADER(add,Alert-Info)': 'info=alert-autoanswer;delay=0',
  'PJSIP_HEADER(add,Call-Info)': 'answer-after=0',
};
