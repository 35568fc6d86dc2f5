import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of server/sql: one function or view with its triggers and grants, or the policies of one table. */
export interface Definition {
  /** The path below server/sql, without the extension. */
  name: string;
  text: string;
  checksum: string;
  /** Definitions that must exist before this one. */
  requires: string[];
  /** Definitions that an upgrade must replace before this one, because the previous ones do not know what it writes. */
  after: string[];
}

export interface Definitions {
  /** Increases with every change of the files, so that an older release recognizes a newer database. */
  revision: number;
  /** In an order in which they can be applied to an empty database. */
  files: Definition[];
  /** Former definitions that no running release calls any more, as in `function old_name(uuid, text)`. */
  dropped: string[];
}

interface Manifest {
  revision: number;
  checksum: string;
  dropped: string[];
}

export async function readDefinitions(directory: string): Promise<Definitions> {
  const { revision, dropped } = await readManifest(directory);
  return { revision, dropped, files: inOrder(await readDefinitionFiles(directory)) };
}

export async function readManifest(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as Manifest;
}

/** Returns the files in alphabetical order. */
export async function readDefinitionFiles(directory: string): Promise<Definition[]> {
  const paths = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith('.sql'));
  return await Promise.all(
    paths.toSorted().map(async (path) => {
      const text = await readFile(join(directory, path), 'utf8');
      return {
        name: path.slice(0, -'.sql'.length),
        text,
        checksum: await sha256(text),
        requires: readHeader(text, 'requires'),
        after: readHeader(text, 'after'),
      };
    }),
  );
}

/** Returns the checksum of all files and removals, which the manifest repeats. */
export const checksumOfAll = (files: Definition[], dropped: string[]): Promise<string> =>
  sha256(JSON.stringify([files.map(({ name, checksum }) => [name, checksum]), dropped]));

export async function sha256(text: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');
}

function readHeader(text: string, title: string): string[] {
  const header = new RegExp(`^-- ${title}: (.+)$`, 'm').exec(text)?.[1] ?? '';
  return header.split(',').flatMap((name) => name.trim() || []);
}

/** Sorts topologically by `requires` and `after`; independent files stay in alphabetical order. */
export function inOrder(files: Definition[]): Definition[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const sorted = new Set<Definition>();
  const visit = (file: Definition, path: string[]): void => {
    if (sorted.has(file)) return;
    if (path.includes(file.name)) throw new Error(`${[...path, file.name].join(' requires ')}: a cycle`);
    for (const name of [...file.requires, ...file.after]) {
      const required = byName.get(name);
      if (!required) throw new Error(`server/sql/${file.name}.sql names ${name}, which does not exist.`);
      visit(required, [...path, file.name]);
    }
    sorted.add(file);
  };
  for (const file of files) visit(file, []);
  return [...sorted];
}
