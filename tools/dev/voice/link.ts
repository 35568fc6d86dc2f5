import { createHash, randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { inDev } from '../paths.ts';
import { freePort } from '../ports.ts';
import { capture } from '../run-command.ts';
import { cellAddresses, cellIsFree, type VoiceCell } from './cell.ts';

/** Interface name of this platform, of which a checkout may have several: at most 15 characters. */
const link = `disca-${createHash('sha256').update(inDev()).digest('hex').slice(0, 6)}`;
const peer = `${link}-e`;
const maxAttempts = 5;

/** Returns whether the engines are on a dedicated interface instead of loopback. */
export const isLinked = ({ network }: VoiceCell): boolean => !network.startsWith('127.');

/**
 * Creates a cell on a dedicated interface, because media nodes do not offer loopback addresses to browsers; reuses the
 * previous cell if possible. Requires root, and is not supported on every machine.
 */
export async function linkCell(kept: VoiceCell | undefined): Promise<VoiceCell | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const again = attempt === 0 && kept && isLinked(kept) ? kept : undefined;
    const cell = again ?? { network: newNetwork(), port: await freePort() };
    await dropLink();
    if (isTaken(cell)) continue;
    if (!(await makeLink(cell))) break;
    if (await cellIsFree(cell)) return cell;
  }
  await dropLink();
  return undefined;
}

/** Removes the link, after every connection of the engines has ended. */
export async function dropLink(): Promise<void> {
  if (networkInterfaces()[link]) await ip('link', 'delete', link);
}

/** Returns a network in the range for network benchmarks, which is not used on the internet. */
const newNetwork = (): string => `198.18.${randomInt(0, 256)}`;

const isTaken = ({ network }: VoiceCell): boolean =>
  Object.values(networkInterfaces())
    .flat()
    .some((each) => each?.address.startsWith(`${network}.`));

async function makeLink(cell: VoiceCell): Promise<boolean> {
  if (!(await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', peer))) return false;
  for (const address of cellAddresses(cell))
    if (!(await ip('address', 'add', `${address}/24`, 'dev', link))) return false;
  for (const end of [link, peer]) if (!(await ip('link', 'set', end, 'up'))) return false;
  return true;
}

const ip = (...args: string[]): Promise<boolean> =>
  capture('ip', args).then(
    ({ exitCode }) => exitCode === 0,
    () => false,
  );
