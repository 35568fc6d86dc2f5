import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';

/** Enough for a browser to have tried every candidate several times. */
const enoughPackets = 5;

/**
 * Lets a page connect to each of these UDP ports, as it does to the port of a media node, and returns the ports that get
 * packets by the time that one of them has several.
 */
export async function portsThatBrowserUses(page: Page, address: string, ports: number[]): Promise<number[]> {
  const sockets = await Promise.all(ports.map((port) => open(address, port)));
  const packets = sockets.map(() => 0);
  for (const [index, socket] of sockets.entries())
    socket.on('message', () => {
      packets[index] = (packets[index] ?? 0) + 1;
    });
  try {
    for (const port of ports) await page.evaluate(`(${connect})(${JSON.stringify(answerOf(address, port))})`);
    await until(() => Math.max(...packets) >= enoughPackets, 'a port gets packets');
    return ports.filter((_, index) => packets[index] !== 0);
  } finally {
    for (const socket of sockets) socket.close();
  }
}

/** Runs in the page. */
const connect = `async (sdp) => {
  const connection = new RTCPeerConnection();
  connection.createDataChannel('probe');
  await connection.setLocalDescription();
  await connection.setRemoteDescription({ type: 'answer', sdp });
}`;

/** An answer with one candidate, at which nothing responds. */
const answerOf = (address: string, port: number): string =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    't=0 0',
    `m=application ${port} UDP/DTLS/SCTP webrtc-datachannel`,
    `c=IN IP4 ${address}`,
    'a=mid:0',
    'a=ice-ufrag:probe',
    'a=ice-pwd:0123456789012345678901',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => '00').join(':')}`,
    'a=setup:active',
    'a=sctp-port:5000',
    `a=candidate:1 1 udp 2130706431 ${address} ${port} typ host`,
    '',
  ].join('\r\n');

async function open(address: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4').bind(port, address);
  await once(socket, 'listening');
  return socket;
}
