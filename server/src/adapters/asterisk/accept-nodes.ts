import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import type { MediaNode } from '../../contexts/telephony/index.ts';
import { connectMediaNode } from './media-node.ts';

/** Fits the listing of a thousand channels, with a margin. */
const largestMessageBytes = 64 * 1024 * 1024;
const path = '/asterisk';

export interface NodeListener {
  isSecret(name: string, secret: string): Promise<boolean>;
  onNode(node: MediaNode): void;
  onError(error: Error): void;
}

/**
 * Accepts media nodes that authenticate by name and secret, and over TLS by certificate; rejects others. Returns a
 * function that closes all connections.
 */
export function acceptNodes(server: Server, listener: NodeListener): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessageBytes,
    handleProtocols: () => 'ari',
  });
  const accept = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    const name = await nodeOf(request, listener);
    if (name === undefined) {
      stream.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      connectMediaNode(name, socket).then(listener.onNode, (error: Error) => {
        socket.terminate();
        listener.onError(error);
      });
    });
  };
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy());
    accept(request, stream, head).catch((error: Error) => {
      stream.destroy();
      listener.onError(error);
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
  };
}

async function nodeOf(request: IncomingMessage, listener: NodeListener): Promise<string | undefined> {
  const credentials = nodeCredentials(request);
  if (!credentials || request.url?.split('?', 1)[0] !== path) return undefined;
  return (await listener.isSecret(credentials.name, credentials.secret)) ? credentials.name : undefined;
}

/** Returns the credentials of a request. Over TLS, the certificate must be that of the same node. */
export function nodeCredentials(request: IncomingMessage): { name: string; secret: string } | undefined {
  const credentials = basicCredentials(request.headers.authorization);
  if (!(request.socket instanceof TLSSocket)) return credentials;
  const { subject } = request.socket.getPeerCertificate();
  return credentials?.name === subject?.CN ? credentials : undefined;
}

function basicCredentials(header: string | undefined): { name: string; secret: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}
