import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inDev, root } from '../../../tools/dev/paths.ts';
import { capture } from '../../../tools/dev/run-command.ts';

/** A version of the service: its programs, engine configuration and SQL. */
export interface Checkout {
  name: string;
  root: string;
  migrate: typeof import('../../src/main/migrate.ts').migrate;
  startEdge: typeof import('../../../tools/dev/voice/edge.ts').startEdge;
  startMediaNode: typeof import('../../../tools/dev/voice/media-node.ts').startMediaNode;
  billing: typeof import('../../src/contexts/billing/index.ts');
  database: typeof import('../../src/platform/db/database.ts');
  stop(): Promise<void>;
}

export const thisCheckout = (): Promise<Checkout> => load('disca', root, async () => undefined);

/** Checks out a commit beside this one, with the installed packages of this one. */
export async function openCommit(commit: string): Promise<Checkout> {
  const hash = (await git('rev-parse', '--short', `${commit}^{commit}`)).trim();
  const folder = inDev('bench', `commit-${hash}`);
  const remove = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    await git('worktree', 'prune');
  };
  if (existsSync(folder)) await remove();
  await git('worktree', 'add', '--detach', folder, hash);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Its modules would otherwise keep process records and certificates in the folder that is removed.
  process.env.DISCA_STATE_DIR = inDev();
  const prompts = await import(pathToFileURL(join(folder, 'tools/dev/voice/prompts.ts')).href);
  await prompts.makePrompts();
  return await load(hash, folder, remove);
}

async function load(name: string, folder: string, stop: () => Promise<void>): Promise<Checkout> {
  const module = (path: string) => import(pathToFileURL(join(folder, path)).href);
  const [migrations, edge, node, billing, database] = await Promise.all(
    [
      'server/src/main/migrate.ts',
      'tools/dev/voice/edge.ts',
      'tools/dev/voice/media-node.ts',
      'server/src/contexts/billing/index.ts',
      'server/src/platform/db/database.ts',
    ].map(module),
  );
  return {
    name,
    root: folder,
    migrate: migrations.migrate,
    startEdge: edge.startEdge,
    startMediaNode: node.startMediaNode,
    billing,
    database,
    stop,
  };
}

async function git(...args: string[]): Promise<string> {
  const { exitCode, output } = await capture('git', args);
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')} failed:\n${output}`);
  return output;
}
