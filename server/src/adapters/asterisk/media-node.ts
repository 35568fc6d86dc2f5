import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { DialRequest, EngineEvent, MediaNode } from '../../contexts/telephony/index.ts';
import { readLegId, secondsOf } from './engine-end.ts';
import { readEvent, subscribedEvents } from './engine-events.ts';
import { encodeDecision } from './incoming-leg.ts';
import { createLegCommands } from './leg-commands.ts';
import { addressesOfLeg, readLegSource } from './leg-source.ts';
import { type Answer, openNodeSocket } from './node-socket.ts';
import { originateBody } from './originate.ts';
import { createTrunkEndpoints } from './trunk-endpoints.ts';

const application = 'disca';
const bootTries = 60;
const bootPauseMs = 500;

const channels = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    dialplan: z.object({ app_name: z.string() }).optional(),
  }),
);
/** Applications of legs that have their own dialplan; legs that are dialled by the dialplan report another one. */
const ownApplications = new Set(['Dial', 'ConfBridge', 'MusicOnHold']);
const variable = z.object({ value: z.string() });
const rtpStatistics = z.object({ rxcount: z.number(), txcount: z.number() });
const ping = z.object({ timestamp: z.string() });
const status = z.object({
  status: z.object({ startup_time: z.string() }),
  system: z.object({ version: z.string() }),
});

/** Controls a media node with ARI, over the connection that the node opened. */
export async function connectMediaNode(name: string, socket: WebSocket): Promise<MediaNode> {
  let listener: ((event: EngineEvent) => void) | undefined;
  const waiting: EngineEvent[] = [];
  let tlsListener: string | undefined;
  const link = openNodeSocket(socket, (message) => {
    const event = readEvent(message, tlsListener);
    if (event === undefined) return;
    if (listener) listener(event);
    else waiting.push(event);
  });
  await untilBooted(() => link.request('GET', 'asterisk/ping'));
  const filter = { allowed: subscribedEvents.map((type) => ({ type })) };
  expect(await link.request('PUT', `applications/${application}/eventFilter`, filter));
  const trunks = createTrunkEndpoints(link);
  tlsListener = await trunks.tlsListener();

  // Sets a channel variable with EXPORT, as a global variable: Asterisk sets channel variables directly only for
  // channels in a Stasis application.
  const setVariable = async (leg: string, variable: string, value: string): Promise<void> => {
    const set = new URLSearchParams({ variable: `EXPORT(${leg},${variable})`, value });
    expect(await link.request('POST', `asterisk/variable?${set}`));
  };

  const readVariable = async (leg: string, name: string): Promise<string | null> => {
    const uri = `channels/${encodeURIComponent(leg)}/variable?${new URLSearchParams({ variable: name })}`;
    const answer = expect(await link.request('GET', uri), 404);
    return answer.status === 404 ? null : variable.parse(answer.body).value;
  };

  const originate = async (path: string, body: object): Promise<boolean> =>
    (await link.request('POST', path, body)).status < 300;

  return {
    name,
    ...createLegCommands({ originate, setVariable, readVariable }),
    async controlsCalls() {
      const uri = `asterisk/variable?${new URLSearchParams({ variable: 'CONTROL' })}`;
      return variable.parse(expect(await link.request('GET', uri)).body).value === '1';
    },
    gone: link.gone,
    disconnect: () => link.close(),
    onEvent(listen) {
      listener = listen;
      for (const event of waiting.splice(0)) listen(event);
    },
    dial: (request: DialRequest) => originate(`channels/${request.leg}`, originateBody(request)),
    decide: (leg, decision) => setVariable(leg, 'VERDICT', encodeDecision(decision)),
    async hangUp(leg) {
      expect(await link.request('DELETE', `channels/${encodeURIComponent(leg)}`), 404);
    },
    limit: (leg, seconds) => setVariable(leg, 'TIMEOUT(absolute)', seconds.toFixed(3)),
    async legs() {
      const open = channels.parse(expect(await link.request('GET', 'channels')).body);
      const own = open.filter(
        ({ id, dialplan }) => readLegId(id) || ownApplications.has(dialplan?.app_name ?? ''),
      );
      return {
        all: new Set(open.flatMap(({ id, name: named }) => [id, named])),
        own: new Map(own.map(({ id, name: named }) => [id, named])),
      };
    },
    async answeredOnNode(leg) {
      return secondsOf((await readVariable(leg, 'ANSWERED_AT')) ?? undefined);
    },
    dialledLeg: (leg) => readVariable(leg, 'DESTINATION_LEG'),
    async traffic(leg) {
      const answer = await link.request('GET', `channels/${encodeURIComponent(leg)}/rtp_statistics`);
      if (answer.status >= 300) return null;
      const { rxcount, txcount } = rtpStatistics.parse(answer.body);
      return { received: rxcount, sent: txcount };
    },
    async audioSource(leg) {
      const read = await readVariable(leg, addressesOfLeg);
      return read === null ? null : readLegSource(read);
    },
    isHeld: async (leg) => (await readVariable(leg, 'CHANNEL(onhold)')) === '1',
    addTrunk: trunks.add,
    removeTrunk: trunks.remove,
    identifyCarrier: trunks.identify,
    async readClock() {
      const answer = expect(await link.request('GET', 'asterisk/ping'));
      return Date.parse(ping.parse(answer.body).timestamp) / 1000;
    },
    async info() {
      const answer = expect(await link.request('GET', 'asterisk/info?only=status,system'));
      const read = status.parse(answer.body);
      return { startedAt: read.status.startup_time, version: read.system.version };
    },
  };
}

/** Waits until the node has booted. It connects earlier, and responds with 503 or not at all until then. */
async function untilBooted(ask: () => Promise<Answer>): Promise<void> {
  for (let attempt = 1; attempt < bootTries; attempt += 1) {
    const answer = await Promise.race([ask(), sleep(bootPauseMs)]);
    if (answer && answer.status < 300) return;
    if (answer) await sleep(bootPauseMs);
  }
  expect(await ask());
}

function expect(answer: Answer, ...alsoGood: number[]): Answer {
  if (answer.status < 300 || alsoGood.includes(answer.status)) return answer;
  throw new Error(`The media node responded ${answer.status}: ${JSON.stringify(answer.body)}`);
}
