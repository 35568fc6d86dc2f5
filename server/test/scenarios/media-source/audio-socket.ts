import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Address } from '../../harness/edge/sip-transport.ts';

const packetMs = 20;
const samplesPerPacket = 160;
/** The payload type and the code of silence of PCMA. */
const pcma = 8;
const silence = 0xd5;
const headerBytes = 12;

/** A socket that sends and receives RTP. */
export interface AudioSocket {
  readonly local: Address;
  /** Sends silence every 20 ms, as a phone does. */
  sendTo(target: Address): void;
  pause(): void;
  /** Returns how many audio packets have arrived. */
  heard(): number;
  close(): void;
}

export async function openAudioSocket(address: string): Promise<AudioSocket> {
  const socket = createSocket('udp4').bind(0, address);
  await once(socket, 'listening');
  // A port that is closed already is reported by ICMP.
  socket.on('error', () => undefined);
  let heard = 0;
  let timer: NodeJS.Timeout | undefined;
  let sequence = 1;
  socket.on('message', (packet) => {
    if (packet.length > headerBytes && (packet[1] ?? 0) % 128 === pcma) heard += 1;
  });
  const pause = (): void => clearInterval(timer);
  return {
    local: { address, port: socket.address().port },
    sendTo(target) {
      pause();
      timer = setInterval(() => {
        sequence += 1;
        socket.send(packetOf(sequence, socket.address().port), target.port, target.address);
      }, packetMs);
    },
    pause,
    heard: () => heard,
    close() {
      pause();
      socket.close();
    },
  };
}

function packetOf(sequence: number, source: number): Buffer {
  const packet = Buffer.alloc(headerBytes + samplesPerPacket, silence);
  packet.writeUInt8(0x80, 0);
  packet.writeUInt8(pcma, 1);
  packet.writeUInt16BE(sequence % 65_536, 2);
  packet.writeUInt32BE(sequence * samplesPerPacket, 4);
  packet.writeUInt32BE(source, 8);
  return packet;
}
