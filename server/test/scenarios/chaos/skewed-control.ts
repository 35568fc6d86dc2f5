import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** A proxy between a real media node and its controller that shifts every timestamp the node sends. */
export interface SkewedControl {
  url: string;
  setAheadSeconds(seconds: number): void;
  close(): Promise<void>;
}

type Fields = Record<string, unknown>;

export async function openSkewedControl(target: string): Promise<SkewedControl> {
  let aheadSeconds = 0;
  const server = createServer();
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'ari' });
  const open = new Set<WebSocket>();
  sockets.on('connection', (near, request) => {
    const far = new WebSocket(target, 'ari', {
      headers: { authorization: request.headers.authorization ?? '' },
    });
    const early: string[] = [];
    far.on('open', () => {
      for (const text of early.splice(0)) far.send(text);
    });
    near.on('message', (data) => {
      const text = JSON.stringify(shifted(JSON.parse(String(data)) as Fields, aheadSeconds));
      if (far.readyState === WebSocket.OPEN) far.send(text);
      else early.push(text);
    });
    far.on('message', (data) => near.send(String(data)));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => one.terminate());
      one.on('close', () => {
        open.delete(one);
        other.terminate();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/asterisk`,
    setAheadSeconds: (seconds) => {
      aheadSeconds = seconds;
    },
    close: () => {
      for (const socket of open) socket.terminate();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function shifted(message: Fields, seconds: number): Fields {
  const times: Fields = {};
  if (typeof message.timestamp === 'string') times.timestamp = later(message.timestamp, seconds);
  if (typeof message.message_body === 'string') {
    times.message_body = message.message_body.replace(
      /"timestamp":\s*"([^"]+)"/g,
      (_, at: string) => `"timestamp":"${later(at, seconds)}"`,
    );
  }
  if (message.userevent) {
    const fields = message.userevent as Record<string, string>;
    const moved = ['AnsweredAt', 'EndedAt']
      .filter((name) => fields[name])
      .map((name) => [name, (Number(fields[name]) + seconds).toFixed(3)]);
    times.userevent = { ...fields, ...Object.fromEntries(moved) };
  }
  return { ...message, ...times };
}

const later = (at: string, seconds: number): string =>
  new Date(Date.parse(at) + seconds * 1000).toISOString().replace('Z', '+0000');
