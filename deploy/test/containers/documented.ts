import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/dev/paths.ts';
import type { OpenPort, Protocol } from './outside.ts';

const page = (): string => readFileSync(join(root, 'docs/operate/install.md'), 'utf8');
const row = /^\| (\d+) \| ([A-Z, ]+) \| `\w+` \|/gm;

/** Returns the ports that the manual lists as open, without those that are open during calls only. */
export const documentedPorts = (): OpenPort[] =>
  [...page().matchAll(row)].flatMap(([, port, protocols = '']) =>
    protocols
      .split(', ')
      .map((protocol) => ({ protocol: protocol.toLowerCase() as Protocol, port: Number(port) })),
  );

/** Returns the command of the manual that protects the addresses of containers, for this network. */
export function documentedRule(network: string): string {
  const command = /^iptables .*DOCKER-USER.*$/m.exec(page())?.[0];
  if (!command) throw new Error('The manual has no rule for DOCKER-USER.');
  return command.replaceAll('172.31.250.0/24', network);
}
