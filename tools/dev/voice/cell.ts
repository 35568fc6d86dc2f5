import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { freePort } from '../ports.ts';
import { UserError } from '../user-error.ts';

/** Addresses of the engines of one deployment: a separate network with the same port on every address. */
export interface VoiceCell {
  /** The first three octets of its addresses. */
  network: string;
  port: number;
}

export interface SipAddress {
  address: string;
  port: number;
}

/** Addresses of one edge: for phones over UDP and TCP, TLS and secure WebSocket, and for nodes and edges. */
export interface EdgeAddresses {
  id: number;
  public: SipAddress;
  tls: SipAddress;
  wss: SipAddress;
  private: SipAddress;
}

const maxAttempts = 50;

/** Edges are numbered from 1. */
export function edgeAddresses(cell: VoiceCell, id = 1): EdgeAddresses {
  const onPublicSide = addressIn(cell, 99 + 2 * id);
  return {
    id,
    public: onPublicSide,
    tls: { ...onPublicSide, port: cell.port + 1 },
    wss: { ...onPublicSide, port: cell.port + 2 },
    private: addressIn(cell, 100 + 2 * id),
  };
}

export const edgePublic = (cell: VoiceCell): SipAddress => edgeAddresses(cell).public;
export const edgePrivate = (cell: VoiceCell): SipAddress => edgeAddresses(cell).private;
export const simulatorAddress = (cell: VoiceCell): SipAddress => addressIn(cell, 5);
/** The TURN relay for browser phones. */
export const turnAddress = (cell: VoiceCell): SipAddress => addressIn(cell, 6);
/** Nodes are numbered from 1. */
export const mediaNodeAddress = (cell: VoiceCell, number: number): SipAddress => addressIn(cell, 10 + number);

/** Where a node accepts SIP of carriers, if it has a separate address for them. */
export const carrierSideAddress = (cell: VoiceCell, number: number): SipAddress =>
  addressIn(cell, 60 + number);

export const asText = ({ address, port }: SipAddress): string => `${address}:${port}`;

/** Every listening address with one edge, one node and one relay. */
export const cellAddresses = (cell: VoiceCell): string[] => {
  const edge = edgeAddresses(cell);
  const sipAddresses = [
    simulatorAddress(cell),
    turnAddress(cell),
    mediaNodeAddress(cell, 1),
    edge.public,
    edge.private,
  ];
  return sipAddresses.map(({ address }) => address);
};

/** Chooses addresses on which no other program listens; all of 127.0.0.0/8 is this machine. */
export async function chooseCell(): Promise<VoiceCell> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const cell = { network: `127.${randomInt(16, 255)}.${randomInt(0, 256)}`, port: await freePort() };
    if (await cellIsFree(cell)) return cell;
  }
  throw new UserError('No loopback address is free for SIP.');
}

export async function cellIsFree(cell: VoiceCell): Promise<boolean> {
  const { tls, wss, ...edge } = edgeAddresses(cell);
  const sipAddresses = [
    edge.public,
    edge.private,
    simulatorAddress(cell),
    turnAddress(cell),
    mediaNodeAddress(cell, 1),
  ];
  const areFree = await Promise.all([...sipAddresses.map(isFree), ...[tls, wss].map(isFreeForStreams)]);
  return areFree.every(Boolean);
}

function addressIn(cell: VoiceCell, host: number): SipAddress {
  return { address: `${cell.network}.${host}`, port: cell.port };
}

function isFree({ address, port }: SipAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, address, () => socket.close(() => resolve(true)));
  });
}

function isFreeForStreams({ address, port }: SipAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, address, () => server.close(() => resolve(true)));
  });
}
