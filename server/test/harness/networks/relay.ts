import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { startCoturn } from '../../../../tools/dev/services/coturn.ts';
import {
  cellIsFree,
  mediaNodeAddress,
  turnAddress,
  type VoiceCell,
} from '../../../../tools/dev/voice/cell.ts';
import type { HomeNetwork } from './home-network.ts';

/** A TURN relay on the public side. */
export interface Relay {
  address: string;
  /** Settings of our programs, so that phone sessions contain the relay. */
  settings: { TURN_URLS: string; TURN_SECRET: string };
  stop(): Promise<void>;
}

const maxAttempts = 20;

/** Chooses a port that is free on every address of the network. */
export async function chooseCellOn({ network }: HomeNetwork): Promise<VoiceCell> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const cell = { network, port: await freePort() };
    if (await cellIsFree(cell)) return cell;
  }
  throw new Error(`No port is free on ${network}.`);
}

/** Starts a relay that forwards only to the first media nodes of the cell. */
export async function startRelay({ home }: HomeNetwork, cell: VoiceCell, nodes = 1): Promise<Relay> {
  const { address, port } = turnAddress(cell);
  const secret = randomBytes(24).toString('hex');
  const dir = inDev('test', 'relay', home);
  const service = await startCoturn({
    name: `relay-${home}`,
    dir,
    address,
    port,
    secret,
    mediaNodes: `${mediaNodeAddress(cell, 1).address}-${mediaNodeAddress(cell, nodes).address}`,
  });
  return {
    address,
    settings: {
      TURN_URLS: ['udp', 'tcp'].map((transport) => `${service.url}?transport=${transport}`).join(),
      TURN_SECRET: secret,
    },
    async stop() {
      await service.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
