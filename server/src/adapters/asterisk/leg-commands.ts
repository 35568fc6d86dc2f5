import type { LegCommands, LegRequest, Place } from '../../contexts/telephony/index.ts';
import { secondsOf } from './engine-end.ts';
import { endpointOf, trunkEndpoint } from './originate.ts';

/** What the commands need of the connection to the engine. */
export interface LegAccess {
  /** Originates a channel; returns false if the engine refused. */
  originate(path: string, body: object): Promise<boolean>;
  setVariable(leg: string, variable: string, value: string): Promise<void>;
  /** Returns null if the leg has ended. */
  readVariable(leg: string, name: string): Promise<string | null>;
}

const places = ['room', 'music'] as const;

export const placeOf = (text: string | undefined): (typeof places)[number] | undefined =>
  places.find((place) => place === text);

/** Reads several variables of a leg in one request. */
const stateOfLeg = `EVAL(\${PLACE}/\${RECORDS}/\${ANSWERED_AT}/\${CHANNEL(state)})`;

/** Sends the commands of `deploy/asterisk/extensions.conf` for calls that had one. */
export function createLegCommands({ originate, setVariable, readVariable }: LegAccess): LegCommands {
  const control = async (command: string, variables: Record<string, string>): Promise<void> => {
    const body = { endpoint: `Local/${command}@control/n`, context: 'refuse', extension: 's', priority: 1 };
    if (!(await originate('channels', { ...body, variables })))
      throw new Error(`The media node refused the command ${command}.`);
  };
  return {
    async lift({ callId, first, second, to }) {
      const legs = { LEG_A: first, LEG_B: second, TO_A: to.first, TO_B: to.second };
      await control('lift', { CALL_ID: callId, ...legs });
    },
    move: (callId, leg, to: Place) => control('move', { CALL_ID: callId, LEG: leg, TO: to }),
    addLeg: (request) => originate(`channels/${request.leg}`, legBody(request)),
    mute: (leg, isMuted) => setVariable(leg, 'MUTEAUDIO(in)', isMuted ? 'on' : 'off'),
    recordWith: (leg) => setVariable(leg, 'RECORD_ON', 'wav'),
    async stateOf(leg) {
      const read = await readVariable(leg, stateOfLeg);
      if (read === null) return null;
      const [place, records, answeredAt, state] = read.split('/');
      return {
        place: placeOf(place) ?? null,
        records: records === '1',
        answeredOnNode: secondsOf(answeredAt),
        isRinging: state === 'Ringing',
      };
    },
  };
}

function legBody(request: LegRequest): object {
  const { callId, letter, to, limitSeconds, ringSeconds, fetches, notAfter } = request;
  return {
    ...(to.kind === 'extension'
      ? {
          endpoint: `PJSIP/${endpointOf(to.way)}/sip:${to.ramal}@${to.domain}`,
          formats: to.way.media === 'webrtc' ? 'opus,alaw,ulaw' : 'alaw,ulaw',
          callerId: to.shown,
        }
      : { endpoint: trunkEndpoint(to.route), formats: 'alaw,ulaw', callerId: to.route.callerId }),
    context: 'joined',
    extension: 's',
    priority: 1,
    timeout: ringSeconds,
    variables: {
      CALL_ID: callId,
      LETTER: letter,
      LIMIT: limitSeconds.toFixed(3),
      'GROUP(call)': callId,
      'PJSIP_HEADER(add,X-Disca-Call-Id)': callId,
      ...(fetches.length === 0 ? {} : { FETCH: fetches.join('&') }),
      ...(to.kind === 'extension' ? { 'PJSIP_HEADER(add,X-Disca-Not-After)': String(notAfter) } : {}),
      ...(isSecure(to) ? { SECURE: '1' } : {}),
    },
  };
}

const isSecure = (to: LegRequest['to']): boolean =>
  to.kind === 'extension' ? to.way.media === 'srtp' : to.route.endpoint.endsWith('-srtp');
