import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { inside } from './namespaces.ts';

const listeningSeconds = 2;

// Sends one packet and prints the replies.
const speaker = `
const [address, port, seconds] = process.argv.slice(1);
const socket = require('node:dgram').createSocket('udp4');
socket.on('message', (text) => console.log(String(text)));
socket.send('hello', Number(port), address);
setTimeout(() => socket.close(), Number(seconds) * 1000);
`;

/**
 * Sends one packet from the home network to the public side and returns the replies that arrive: sent immediately, from
 * an unknown address, and after the mapping expired.
 */
export async function probeNat(address: string, home: string, lateSeconds: number): Promise<string[]> {
  const [listener, other] = await Promise.all([open(address), open(address)]);
  const { port } = listener.address();
  const seconds = String(lateSeconds + listeningSeconds);
  const said = inside(home, process.execPath, '--eval', speaker, address, String(port), seconds);
  const [, from] = (await once(listener, 'message')) as [Buffer, RemoteInfo];
  const reply = (socket: Socket, text: string): void => socket.send(text, from.port, from.address);
  reply(other, 'other');
  reply(listener, 'at once');
  await sleep(lateSeconds * 1_000);
  reply(listener, 'late');
  const heard = (await said).trim().split('\n');
  for (const socket of [listener, other]) socket.close();
  return heard;
}

async function open(address: string): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  return socket;
}
