import { connect, createServer, type Socket } from 'node:net';
import type { Address } from './sip-transport.ts';

/** A proxy to the database that can close or stall connections without affecting the database itself. */
export interface DatabaseLink {
  url: string;
  /** Returns the statements sent since the last call that contain a text. */
  takeStatements(containing: string): string[];
  cut(): void;
  /** Accepts connections and forwards nothing, as if the machine hung. */
  hang(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openDatabaseLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let sent = '';
  let state: 'open' | 'cut' | 'hanging' = 'open';
  const server = createServer((near) => {
    keep(near);
    if (state === 'cut') near.destroy();
    if (state !== 'open') return;
    const far = connect(Number(target.port), target.hostname);
    keep(far);
    near.on('data', (bytes) => {
      sent += bytes.toString('latin1');
    });
    near.pipe(far).pipe(near);
    // A pipe passes on the end of a stream, but not a reset connection.
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as Address).port);
  return {
    url: url.toString(),
    takeStatements(containing) {
      // A simple query: Q, the length in four bytes, and the text up to a zero byte.
      const statements = [...sent.matchAll(/Q\0[\s\S]{3}([^\0]*)\0/g)].map(([, text = '']) => text);
      sent = '';
      return statements.filter((text) => text.includes(containing));
    },
    cut() {
      state = 'cut';
      drop();
    },
    hang() {
      state = 'hanging';
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend() {
      state = 'open';
      drop();
    },
    close() {
      drop();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
