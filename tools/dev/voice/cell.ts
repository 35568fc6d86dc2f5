import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { DevFault } from '../fault.ts';
import { freePort } from '../ports.ts';

/** Where the engines of one deployment are: a loopback network of their own, and the same port everywhere. */
export interface VoiceCell {
  /** The first three numbers of its addresses. */
  network: string;
  port: number;
}

export interface SipPlace {
  address: string;
  port: number;
}

const maxAttempts = 50;

export const edgePublic = (cell: VoiceCell): SipPlace => place(cell, 1);
export const edgePrivate = (cell: VoiceCell): SipPlace => place(cell, 2);
export const simulatorPlace = (cell: VoiceCell): SipPlace => place(cell, 5);
/** The first node is number 1. */
export const mediaNodePlace = (cell: VoiceCell, number: number): SipPlace => place(cell, 10 + number);

export const asText = ({ address, port }: SipPlace): string => `${address}:${port}`;

/** All of 127.0.0.0/8 is this machine, so every cell gets addresses where nobody else's ports are. */
export async function chooseCell(): Promise<VoiceCell> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const cell = { network: `127.${randomInt(16, 255)}.${randomInt(0, 256)}`, port: await freePort() };
    if (await cellIsFree(cell)) return cell;
  }
  throw new DevFault('No loopback address is free for SIP.');
}

export async function cellIsFree(cell: VoiceCell): Promise<boolean> {
  const places = [edgePublic(cell), edgePrivate(cell), simulatorPlace(cell), mediaNodePlace(cell, 1)];
  return (await Promise.all(places.map(isFree))).every(Boolean);
}

function place(cell: VoiceCell, host: number): SipPlace {
  return { address: `${cell.network}.${host}`, port: cell.port };
}

function isFree({ address, port }: SipPlace): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, address, () => socket.close(() => resolve(true)));
  });
}
