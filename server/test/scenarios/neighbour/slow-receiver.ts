import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An attacker's server that accepts every webhook, but only after some seconds. */
export interface SlowReceiver {
  url: string;
  /** The most requests without a response at once. */
  mostWaiting(): number;
  stop(): Promise<void>;
}

const delayMs = 5_000;
/** Another host than that of the neighbour's receiver, because requests are also limited per host. */
const host = '127.0.0.2';

export async function startSlowReceiver(): Promise<SlowReceiver> {
  let [waiting, most] = [0, 0];
  const server = createServer((request, response) => {
    request.resume();
    waiting += 1;
    most = Math.max(most, waiting);
    const timer = setTimeout(() => response.writeHead(200).end(), delayMs);
    response.once('close', () => {
      waiting -= 1;
      clearTimeout(timer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    mostWaiting: () => most,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
