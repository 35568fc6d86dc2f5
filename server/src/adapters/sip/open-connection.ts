import { connect } from 'node:net';

const timeoutMs = 3_000;

/** Opens a TCP connection to `host:port` and closes it; throws if it is refused or takes too long. */
export function openConnection(address: string): Promise<void> {
  const [, host = '', port = '5060'] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(address) ?? [];
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), timeout: timeoutMs });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => socket.destroy(new Error(`no connection within ${timeoutMs / 1000} s`)));
    socket.once('error', reject);
  });
}
