import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Credentials,
  consoleOrigin,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { answerTo, methodOf, statusOf } from '../../harness/edge/sip-message.ts';
import type { TestEdge } from '../../harness/voice/engines.ts';

/**
 * A phone that keeps a connection to one edge and switches to the next one as soon as the connection breaks, as in RFC
 * 5626.
 */
export interface ReconnectingPhone {
  /** The number of the edge where it is registered; undefined while it reconnects. */
  edge(): number | undefined;
  /** Arrival times of calls. The phone always responds busy. */
  rungAtMs: number[];
  close(): Promise<void>;
}

const pauseMs = 100;
const maxAttempts = 100;

export async function openReconnectingPhone(
  who: Credentials,
  transport: 'tcp' | 'tls' | 'wss',
  edges: TestEdge[],
): Promise<ReconnectingPhone> {
  const rungAtMs: number[] = [];
  let current: { client: SipClient; edge: number } | undefined;
  let isClosed = false;

  const attach = async (index: number): Promise<void> => {
    const place = edges[index]?.place;
    if (!place) throw new Error('There is no such edge.');
    const server = transport === 'tcp' ? place.public : place[transport];
    const client = await openSipClient({ server, transport, origin: consoleOrigin });
    client.onRequest((request) => {
      const method = methodOf(request);
      if (method === 'INVITE') rungAtMs.push(Date.now());
      if (method !== 'ACK') client.send(answerTo(request, method === 'INVITE' ? '486 Busy Here' : '200 OK'));
    });
    if (statusOf(await client.register(who)) !== 200) {
      await client.close();
      throw new Error('The phone was not registered.');
    }
    current = { client, edge: place.id };
    void client.gone?.then(() => {
      current = undefined;
      if (!isClosed) void goOn(index);
    });
  };
  const goOn = async (from: number): Promise<void> => {
    for (let attempt = 1; attempt <= maxAttempts && !isClosed; attempt += 1) {
      const isThere = await attach((from + attempt) % edges.length).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      await sleep(pauseMs);
    }
  };
  await attach(0);
  return {
    edge: () => current?.edge,
    rungAtMs,
    async close() {
      isClosed = true;
      await current?.client.close();
    },
  };
}
