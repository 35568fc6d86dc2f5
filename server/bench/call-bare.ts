import { createServer } from 'node:http';
import { acceptNodes } from '../src/adapters/asterisk/index.ts';
import type { MediaNode } from '../src/contexts/telephony/index.ts';
import { destinationRingSeconds, extensionRingSeconds } from '../src/platform/call-timings.ts';
import { uuidv7 } from '../src/platform/ids.ts';
import { type BenchLine, lineAt } from './call-lines.ts';
import type { Caller } from './call-load.ts';

export interface BareCaller extends Caller {
  close(): Promise<void>;
}

export interface BareOptions {
  port: number;
  carrier: string;
  lines: BenchLine[];
  idle(): Promise<number>;
}

/**
 * Controls the engine from the load generator over its control socket, with the service's requests and event filter and
 * nothing else.
 */
export async function openBareCaller({ port, carrier, lines, idle }: BareOptions): Promise<BareCaller> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  const asked = new Map<string, number>();
  let tookMs: number[] = [];
  let refused = 0;
  const node = await new Promise<MediaNode>((resolve, reject) => {
    acceptNodes(server, { isSecret: async () => true, onNode: resolve, onError: reject });
    server.listen(port, '127.0.0.1');
  });
  node.onEvent((event) => {
    if (event.kind !== 'answered') return;
    const askedAtMs = asked.get(event.callId);
    if (askedAtMs === undefined) return;
    tookMs.push(performance.now() - askedAtMs);
    asked.delete(event.callId);
  });

  return {
    name: 'bare',
    async place(index) {
      const callId = uuidv7(new Date());
      asked.set(callId, performance.now());
      const isTaken = await node.dial(buildRequest(callId, lineAt(lines, index), carrier)).catch(() => false);
      if (!isTaken) refused += 1;
    },
    idle,
    async collect() {
      const round = { tookMs, failed: asked.size, why: `${refused} refused` };
      tookMs = [];
      refused = 0;
      asked.clear();
      return round;
    },
    async close() {
      node.disconnect();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const buildRequest = (
  callId: string,
  { ramal, domain }: BenchLine,
  address: string,
): Parameters<MediaNode['dial']>[0] => ({
  callId,
  leg: `${callId}.a`,
  extension: {
    ramal,
    domain,
    way: { edge: 1, media: 'plain' },
    autoAnswer: false,
    ringSeconds: extensionRingSeconds,
  },
  destination: {
    number: '5511987654321',
    ringSeconds: destinationRingSeconds,
    routes: [{ number: '5511987654321', address, callerId: '551130000000' }],
  },
  fundedSeconds: 60,
  record: false,
  notAfter: Math.ceil(Date.now() / 1000) + 5,
});
