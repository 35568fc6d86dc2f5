import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// scan-ports tcp|udp ADDRESS [PORT …]: prints the open ports as a JSON list; default: all 65,535.
const [protocol, address = '', ...named] = process.argv.slice(2);

const everyPort = 65_535;
const sideBySide = 512;
const tcpTimeoutMs = 1_000;
const udpTimeoutMs = 250;
const udpRepeats = 3;

const ports = named.length > 0 ? named.map(Number) : Array.from({ length: everyPort }, (_, at) => at + 1);

/** A port is open if the connection is established. */
function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: tcpTimeoutMs });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

/** A port is closed if the machine reports so (ICMP port unreachable); an open one may not answer. */
function isNotRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const timer = setTimeout(() => end(true), udpTimeoutMs);
    const end = (isOpen: boolean): void => {
      clearTimeout(timer);
      socket.removeAllListeners();
      // A late error must not end the scan.
      socket.on('error', () => undefined);
      socket.close();
      resolve(isOpen);
    };
    socket.once('error', () => end(false));
    socket.once('message', () => end(true));
    socket.connect(port, address, () => socket.send(''));
  });
}

async function filterPorts(candidates: number[], isOpen: (port: number) => Promise<boolean>) {
  const open: number[] = [];
  const waiting = candidates.values();
  const scan = async (): Promise<void> => {
    for (const port of waiting) if (await isOpen(port)) open.push(port);
  };
  await Promise.all(Array.from({ length: sideBySide }, scan));
  return open.toSorted((one, other) => one - other);
}

/** Repeats the scan of ports that seem open, because a report may be lost and a socket may be short-lived. */
async function scanUdp(): Promise<number[]> {
  let open = await filterPorts(ports, isNotRefused);
  for (let repeat = 1; repeat < udpRepeats; repeat += 1) {
    await sleep(1_000);
    open = await filterPorts(open, isNotRefused);
  }
  return open;
}

const open = protocol === 'udp' ? await scanUdp() : await filterPorts(ports, acceptsConnections);
process.stdout.write(JSON.stringify(open));
