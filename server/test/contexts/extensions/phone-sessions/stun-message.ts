import { createHash, createHmac, randomBytes } from 'node:crypto';

/** The parts of STUN (RFC 8489) and TURN (RFC 8656) that the tests need. */
export const methods = { allocate: 0x003, refresh: 0x004, send: 0x006, data: 0x007, permit: 0x008 };
export const attributes = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  lifetime: 0x000d,
  peer: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  relayed: 0x0016,
  transport: 0x0019,
};

export type Attribute = [type: number, value: Buffer];

export interface StunMessage {
  type: number;
  transaction: Buffer;
  attributes: Attribute[];
}

const cookie = 0x2112a442;
const headerLength = 20;
const integrityLength = 24;

export const newTransaction = (): Buffer => randomBytes(12);

export function writeStun({ type, transaction, attributes: given }: StunMessage, key?: Buffer): Buffer {
  const body = Buffer.concat(given.map(writeAttribute));
  const length = body.length + (key ? integrityLength : 0);
  const header = Buffer.alloc(headerLength);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(length, 2);
  header.writeUInt32BE(cookie, 4);
  transaction.copy(header, 8);
  const signed = Buffer.concat([header, body]);
  if (!key) return signed;
  const mac = createHmac('sha1', key).update(signed).digest();
  return Buffer.concat([signed, writeAttribute([attributes.integrity, mac])]);
}

function writeAttribute([type, value]: Attribute): Buffer {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  padded.writeUInt16BE(type, 0);
  padded.writeUInt16BE(value.length, 2);
  value.copy(padded, 4);
  return padded;
}

export function readStun(bytes: Buffer): StunMessage {
  const parsed: Attribute[] = [];
  for (let at = headerLength; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 2);
    parsed.push([bytes.readUInt16BE(at), bytes.subarray(at + 4, at + 4 + length)]);
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return { type: bytes.readUInt16BE(0), transaction: bytes.subarray(8, headerLength), attributes: parsed };
}

export const findAttribute = (message: StunMessage, type: number): Buffer | undefined =>
  message.attributes.find(([each]) => each === type)?.[1];

/** Returns the error code, or 0 for a success. */
export function readErrorCode(message: StunMessage): number {
  const value = findAttribute(message, attributes.error);
  return value ? (value[2] ?? 0) * 100 + (value[3] ?? 0) : 0;
}

/** Returns the key of long-term credentials. */
export const deriveKey = (username: string, realm: string, password: string): Buffer =>
  createHash('md5').update(`${username}:${realm}:${password}`).digest();

export function writeAddress(address: string, port: number): Buffer {
  const value = Buffer.alloc(8);
  value.writeUInt8(1, 1);
  value.writeUInt16BE(port ^ (cookie >>> 16), 2);
  const bits = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  value.writeUInt32BE((bits ^ cookie) >>> 0, 4);
  return value;
}

export function readAddress(value: Buffer): { address: string; port: number } {
  const bits = (value.readUInt32BE(4) ^ cookie) >>> 0;
  const address = [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
  return { address, port: value.readUInt16BE(2) ^ (cookie >>> 16) };
}
