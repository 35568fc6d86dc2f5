import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, openTcp, openUdp, type Transport } from '../../harness/edge/sip-transport.ts';
import { malformedMessages } from '../edge/malformed.ts';

export interface Flood {
  /** Stops the flood and returns the number of messages sent and the duration. */
  stop(): Promise<{ datagrams: number; streams: number; seconds: number }>;
}

const tickMs = 10;
/** Number of source addresses, large enough that no address alone counts as a flood. */
const addresses = 200;
/** One in this many messages uses its own connection, which stays open for a while. */
const streamOneIn = 20;
const streamMs = 1_000;
const maxStreams = 500;

/** Sends malformed messages at this rate from many addresses until stopped. */
export async function startFlood(edge: Address, aimedAt: Address, perSecond: number): Promise<Flood> {
  const sockets = await Promise.all(
    Array.from({ length: addresses }, (_, index) =>
      openUdp(edge, { address: `127.210.0.${index + 1}` }, () => undefined),
    ),
  );
  const streams = new Set<Transport>();
  const nextMessage = mutations(aimedAt);
  const sent = { datagrams: 0, streams: 0 };
  const startedAt = performance.now();
  let isOver = false;

  const sendOne = (): void => {
    const count = sent.datagrams + sent.streams;
    const bytes = nextMessage();
    if (count % streamOneIn === 0 && streams.size < maxStreams) {
      sent.streams += 1;
      void sendByStream(edge, `127.211.0.${(count % addresses) + 1}`, bytes, streams);
    } else {
      sent.datagrams += 1;
      sockets[count % addresses]?.send(bytes);
    }
  };
  const secondsSoFar = (): number => (performance.now() - startedAt) / 1000;
  const sendWhatIsDue = (seconds: number): void => {
    while (sent.datagrams + sent.streams < seconds * perSecond) sendOne();
  };
  const pump = (async () => {
    while (!isOver) {
      sendWhatIsDue(secondsSoFar());
      await sleep(tickMs);
    }
  })();

  return {
    async stop() {
      isOver = true;
      await pump;
      const seconds = secondsSoFar();
      sendWhatIsDue(seconds);
      await Promise.all([...sockets, ...streams].map((each) => each.close()));
      return { ...sent, seconds };
    },
  };
}

async function sendByStream(edge: Address, from: string, bytes: Buffer, open: Set<Transport>): Promise<void> {
  const stream = await openTcp(edge, { address: from }, () => undefined).catch(() => undefined);
  if (!stream) return;
  open.add(stream);
  stream.send(bytes);
  await sleep(streamMs, undefined, { ref: false });
  open.delete(stream);
  await stream.close();
}

/** Cycles through the corpus; every second message has changed or missing bytes. The sequence is always the same. */
function mutations(aimedAt: Address): () => Buffer {
  const corpus = malformedMessages(aimedAt);
  let seed = 20_260_101;
  let sent = 0;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  return () => {
    sent += 1;
    const bytes = Buffer.from(corpus[next(corpus.length)]?.bytes ?? randomBytes(64));
    if (sent % 2 === 0) return bytes;
    for (let changes = 1 + next(8); changes > 0; changes -= 1) bytes[next(bytes.length)] = next(256);
    return bytes.subarray(0, next(4) === 0 ? 1 + next(bytes.length) : bytes.length);
  };
}
