import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';

const waitMs = 1_500;
const repeatMs = 500;

/** Sends SIP OPTIONS over UDP and returns the status; any status means that the server is up. */
export async function askOptions(address: string): Promise<number> {
  const [, host = '', port = '5060'] = /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(address) ?? [];
  const { address: ip } = await lookup(host);
  const socket = createSocket(isIPv6(ip) ? 'udp6' : 'udp4');
  try {
    return await new Promise<number>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('message', (message) =>
        resolve(Number(/^SIP\/2\.0 (\d{3})/.exec(message.toString('latin1'))?.[1] ?? 0)),
      );
      socket.connect(Number(port), ip, () => {
        const text = request(address, `${socket.address().address}:${socket.address().port}`);
        const send = (): void => socket.send(text);
        const repeating = setInterval(send, repeatMs);
        setTimeout(() => {
          clearInterval(repeating);
          reject(new Error(`no response within ${waitMs / 1000} s`));
        }, waitMs).unref();
        socket.once('message', () => clearInterval(repeating));
        socket.once('error', () => clearInterval(repeating));
        send();
      });
    });
  } finally {
    socket.close();
  }
}

const request = (to: string, from: string): string =>
  [
    `OPTIONS sip:${to} SIP/2.0`,
    `Via: SIP/2.0/UDP ${from};branch=z9hG4bK${randomUUID()};rport`,
    'Max-Forwards: 70',
    `From: <sip:doctor@${from}>;tag=${randomUUID()}`,
    `To: <sip:${to}>`,
    `Call-ID: ${randomUUID()}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
