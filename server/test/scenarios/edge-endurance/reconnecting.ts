import { connect, type Socket } from 'node:net';
import type { Address, Transport } from '../../harness/edge/sip-transport.ts';

const retryMs = 250;
const headEnd = '\r\n\r\n';

/** Opens a connection that is reopened whenever it is lost, as phones do; `onText` is then called without text. */
export async function openReconnecting(
  server: Address,
  local: Partial<Address>,
  onText: (text?: string) => void,
): Promise<Transport> {
  let socket: Socket;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const open = (): void => {
    let pending = '';
    socket = connect({ port: server.port, host: server.address, localAddress: local.address ?? '127.0.0.1' });
    socket.on('error', () => undefined);
    // Requests on the previous connection get no response on this one.
    socket.on('connect', () => onText());
    socket.on('close', () => {
      if (!isClosed) timer = setTimeout(open, retryMs);
    });
    socket.on('data', (bytes) => {
      pending += bytes.toString('latin1');
      // Responses to a REGISTER have no body.
      for (let end = pending.indexOf(headEnd); end >= 0; end = pending.indexOf(headEnd)) {
        onText(pending.slice(0, end + headEnd.length).trimStart());
        pending = pending.slice(end + headEnd.length);
      }
    });
  };
  open();
  return {
    protocol: 'TCP',
    local: { address: local.address ?? '127.0.0.1', port: 5060 },
    send: (bytes) => {
      if (socket.writable) socket.write(Buffer.from(bytes as string, 'latin1'));
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      socket.destroy();
    },
  };
}
