import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../user-error.ts';

interface AptSource {
  uri: string;
  suites: string[];
}

/** Returns the Debian archive this machine is configured to use. */
export function debianArchive(aptFolder = '/etc/apt'): string {
  const main = readSources(aptFolder).find(
    (source) =>
      /\/debian\/?$/.test(source.uri) && source.suites.every((suite) => !suite.includes('security')),
  );
  if (!main)
    throw new UserError(`No Debian archive found in ${aptFolder}. The voice engines are built from one.`);
  return main.uri;
}

function readSources(aptFolder: string): AptSource[] {
  const folder = join(aptFolder, 'sources.list.d');
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [join(aptFolder, 'sources.list'), ...files]
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return file.endsWith('.sources') ? paragraphs(text) : lines(text);
    });
}

function paragraphs(text: string): AptSource[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const field = (name: string): string[] =>
      new RegExp(`^${name}:(.*)$`, 'm').exec(paragraph)?.[1]?.trim().split(/\s+/) ?? [];
    if (!field('Types').includes('deb')) return [];
    return field('URIs').map((uri) => ({ uri, suites: field('Suites') }));
  });
}

function lines(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const [, uri, suite] = /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)/.exec(line.trim()) ?? [];
    return uri && suite ? [{ uri, suites: [suite] }] : [];
  });
}
