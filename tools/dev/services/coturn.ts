import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../paths.ts';
import { politeThenKill } from '../process-identity.ts';
import { endAndRemove } from '../process-records.ts';
import { UserError } from '../user-error.ts';
import { issueCertificate } from '../voice/certificates.ts';
import { renderFolder } from '../voice/render.ts';
import { type RunningService, startService } from './service.ts';

export interface CoturnOptions {
  name: string;
  /** Folder of the relay. */
  dir: string;
  address: string;
  /** Port for UDP and TCP; TLS uses the next one. */
  port: number;
  secret: string;
  /** Address or range of the only peers that the relay forwards to. */
  mediaNodes: string;
  /** Public address, if different. */
  advertisedAddress?: string;
  outlives?: boolean;
}

const answerTimeoutMs = 1_000;
const realm = 'disca';

export async function startCoturn(options: CoturnOptions): Promise<RunningService> {
  const { name, dir, address, port } = options;
  const program = findCoturn();
  if (!program) throw new UserError('coturn is not installed. Run ./dev setup.');
  for (const folder of ['etc', 'run']) mkdirSync(join(dir, folder), { recursive: true });
  await issueCertificate(join(dir, 'etc'), [address], 'relay');
  renderFolder(join(root, 'deploy/coturn'), join(dir, 'etc'), valuesOf(options));
  const configFile = join(dir, 'etc/turnserver.conf');
  const entry = await startService({
    name,
    command: program,
    // This option is required because the configuration denies loopback peers and our media nodes use loopback.
    args: ['-c', configFile, '--allow-loopback-peers'],
    commandIncludes: configFile,
    logFile: join(dir, 'log/messages'),
    cwd: dir,
    ending: politeThenKill,
    outlives: options.outlives ?? false,
    isReady: () => answersBinding(address, port),
  });
  return {
    url: `turn:${address}:${port}`,
    pid: entry.process.pid,
    stop: () => endAndRemove(entry),
  };
}

function valuesOf(options: CoturnOptions) {
  return {
    HOME: options.dir,
    LISTEN_ADDRESS: options.address,
    ADVERTISED_ADDRESS: options.advertisedAddress ?? options.address,
    LISTEN_PORT: options.port,
    TLS_PORT: options.port + 1,
    LOWEST_PORT: 40_000,
    HIGHEST_PORT: 40_999,
    REALM: realm,
    TURN_SECRET: options.secret,
    MEDIA_NODES: options.mediaNodes,
    USER_QUOTA: 12,
    TOTAL_QUOTA: 500,
  };
}

function findCoturn(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'turnserver')).find((path) => existsSync(path));
}

/** Sends a STUN binding request, which needs no credentials. */
function answersBinding(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const settle = (ready: boolean): void => {
      clearTimeout(timer);
      socket.close();
      resolve(ready);
    };
    const timer = setTimeout(settle, answerTimeoutMs, false);
    socket.once('error', () => settle(false));
    socket.once('message', (answer) => settle(answer.readUInt16BE(0) === 0x0101));
    const request = Buffer.alloc(20);
    request.writeUInt16BE(0x0001, 0);
    request.writeUInt32BE(0x2112a442, 4);
    // A connected socket, so that a closed port is reported immediately.
    socket.connect(port, address, () => socket.send(request));
  });
}
