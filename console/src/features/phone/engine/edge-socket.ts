import type { Socket } from 'jssip';

/** WebSocket to an edge that can be dropped when the edge no longer responds. */
export interface EdgeSocket extends Socket {
  drop(): void;
  /** Time of the last message from the edge. */
  heardAtMs(): number;
}

export function createEdgeSocket(url: string): EdgeSocket {
  let socket: WebSocket | undefined;
  let heardAtMs = 0;
  let transport = 'WSS';
  const leave = (): void => {
    if (!socket) return;
    for (const name of ['onopen', 'onclose', 'onmessage'] as const) socket[name] = null;
    socket.close();
    socket = undefined;
  };
  const edge: EdgeSocket = {
    get via_transport() {
      return transport;
    },
    set via_transport(value) {
      transport = value.toUpperCase();
    },
    url,
    sip_uri: `sip:${new URL(url).host};transport=ws`,
    connect() {
      leave();
      socket = new WebSocket(url, 'sip');
      socket.binaryType = 'arraybuffer';
      socket.onopen = () => {
        heardAtMs = Date.now();
        edge.onconnect();
      };
      socket.onclose = ({ wasClean, code, reason }) => edge.ondisconnect(!wasClean, code, reason);
      socket.onmessage = ({ data }) => {
        heardAtMs = Date.now();
        edge.ondata(data);
      };
    },
    disconnect: leave,
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(message as string);
      return true;
    },
    isConnected: () => socket?.readyState === WebSocket.OPEN,
    isConnecting: () => socket?.readyState === WebSocket.CONNECTING,
    // Replaced by JsSIP.
    onconnect: () => undefined,
    ondisconnect: () => undefined,
    ondata: () => undefined,
    drop() {
      if (!socket) return;
      leave();
      edge.ondisconnect(true);
    },
    heardAtMs: () => heardAtMs,
  };
  return edge;
}
