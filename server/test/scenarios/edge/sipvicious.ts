import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Address } from '../../harness/edge/sip-transport.ts';

export type Tool = 'svwar' | 'svcrack';

export interface Scan {
  /** The complete output, once the tool has ended or was stopped. */
  output: Promise<string>;
  end(): void;
}

// Hides the tool's User-Agent, because a real attacker would not identify the tool. Also makes svcrack respect its bind
// option.
const disguise = `
import socket, sys
folder, tool, source = sys.argv[1:4]
sys.argv[1:4] = []
sys.path.insert(0, folder)
bind = socket.socket.bind
socket.socket.bind = lambda self, address: bind(self, (source, address[1]))
from sipvicious.libs import svhelper
request = svhelper.makeRequest
request.__defaults__ = tuple('Grandstream GXP1628' if d == 'friendly-scanner' else d for d in request.__defaults__)
import importlib
sys.argv[0] = tool
importlib.import_module('sipvicious.' + tool).main()
`;

/** Starts a tool of Debian's sipvicious package against an edge, from a given address, with a neutral User-Agent. */
export function startScan(tool: Tool, from: string, { address, port }: Address, args: string[]): Scan {
  const target = ['-x', from, '-p', String(port), ...args, address];
  // Runs at low priority: a real attacker uses another machine and does not take CPU time from the measured phone.
  const child = spawn(
    'nice',
    ['-n', '15', 'python3', '-c', disguise, packageFolder(tool), tool, from, ...target],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (text += bytes));
  return {
    output: new Promise((resolve) => child.once('close', () => resolve(text))),
    end: () => void child.kill('SIGKILL'),
  };
}

function packageFolder(tool: Tool): string {
  const program = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, tool))
    .find((path) => existsSync(path));
  if (!program) throw new Error('sipvicious is not installed. Run ./dev setup --tests.');
  return dirname(realpathSync(program));
}
