import { constants } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { NodesDeps } from '../http/nodes.ts';
import { withinNetworks } from '../platform/network.ts';
import type { Config } from './config.ts';
import type { Base } from './wire.ts';

type CreateServer = NodesDeps['createServer'];

/** Recordings may take long to upload, and the load balancer closes idle connections first, after 60 s. */
const timeouts = { requestTimeout: 0, keepAliveTimeout: 72_000 };

/** The server for media nodes of this machine. Connections from other networks are closed before they are read. */
export function plainNodeServer(config: Config, log: Base['log']): CreateServer {
  const isAllowed = withinNetworks(config.VOICE_PLAIN_NETWORKS);
  return (listener) => {
    const server = createServer(timeouts, listener);
    server.prependListener('connection', (socket: Socket) => {
      if (isAllowed(socket.remoteAddress)) return;
      log.warn({ address: socket.remoteAddress }, 'connection of a media node without TLS closed');
      socket.destroy();
    });
    return server;
  };
}

/** The server for media nodes of other machines, which present a certificate of the operator's own authority. */
export function secureNodeServer(config: Config, log: Base['log']): CreateServer | undefined {
  const { VOICE_CERTIFICATE: cert, VOICE_CERTIFICATE_KEY: key, VOICE_NODE_AUTHORITY: ca } = config;
  if (cert === undefined && key === undefined && ca === undefined) return undefined;
  if (cert === undefined || key === undefined || ca === undefined)
    throw new Error(
      'VOICE_CERTIFICATE, VOICE_CERTIFICATE_KEY and VOICE_NODE_AUTHORITY must be set together: set all or none.',
    );
  const options = {
    ...{ cert, key, ca, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' as const },
    // A resumed session may lack the certificate of the node.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ...timeouts,
  };
  return (listener) => {
    const server = createSecureServer(options, listener);
    server.on('tlsClientError', (err, socket) =>
      log.warn({ err, address: socket.remoteAddress }, 'connection of a media node refused'),
    );
    return server;
  };
}
