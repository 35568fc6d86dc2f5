import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

/** The addresses of a name, or how its lookup fails. */
export type Answer = string[] | 'missing' | 'broken' | 'silent';

export interface DnsServer {
  /** Address of the server, as `address:port`. */
  address: string;
  /** Queried names in order, with repetitions. */
  asked: string[];
  close(): Promise<void>;
}

const typeA = 1;
const typeAaaa = 28;

/** Starts a real DNS server on loopback with programmable answers and a TTL of 0. */
export async function startDns(answer: (name: string) => Answer): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = parseQuestion(query);
    if (type === typeA) asked.push(name);
    const result = answer(name);
    if (result === 'silent') return;
    socket.send(replyTo(query.subarray(0, end), type, result), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((done) => socket.close(() => done())),
  };
}

function parseQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function replyTo(question: Buffer, type: number, result: Exclude<Answer, 'silent'>): Buffer {
  const addresses = Array.isArray(result) ? result.map((text) => ipaddr.parse(text)) : [];
  const records = addresses
    .filter((address) => (address.kind() === 'ipv4' ? typeA : typeAaaa) === type)
    .map((address) => buildRecord(type, Buffer.from(address.toByteArray())));
  const head = Buffer.from(question);
  const code = { missing: 3, broken: 2 }[result as string] ?? 0;
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function buildRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
