import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { codeOf, frontMatterOf, headingsOf, linksOf } from './markdown.ts';

/** The pages of one manual by path, such as `guides/sdk.md` or `pt-BR/guides/sdk.md`. */
export type ReadPage = (path: string) => string | undefined;

/** Pages whose translation is generated like the page, by `node tools/api-docs.ts`. */
const generated = new Set(['reference/errors.md']);

export const inPortuguese = (path: string): string => `pt-BR/${path}`;

export const readPagesOf =
  (docs: string): ReadPage =>
  (path) =>
    existsSync(join(docs, path)) ? readFileSync(join(docs, path), 'utf8') : undefined;

/** Returns the id of a text in git, with which `git diff` shows what changed since. */
export const blobId = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

/** Returns the id of the English text that a page translates. */
export const translatedId = (page: string): string | undefined =>
  /^translates: "(?<id>[0-9a-f]{40})"$/m.exec(frontMatterOf(page))?.groups?.id;

/** Returns the page with the id of its English text. */
export function withTranslatedId(page: string, id: string): string {
  const line = `translates: "${id}"`;
  if (/^---\n/.test(page)) return page.replace(/^---\n(?:translates: .*\n)?/, `---\n${line}\n`);
  return `---\n${line}\n---\n\n${page}`;
}

/** Returns whether the English page changed since it was translated. */
export function isStale(read: ReadPage, path: string): boolean {
  const page = read(inPortuguese(path)) ?? '';
  return !generated.has(path) && translatedId(page) !== blobId(read(path) ?? '');
}

/** Returns what a translated page lacks, one line each. */
export function translationFaults(read: ReadPage, path: string): string[] {
  const [english, portuguese] = [read(path), read(inPortuguese(path))];
  if (english === undefined) return [`docs/${path} does not exist.`];
  if (portuguese === undefined) return [`docs/${inPortuguese(path)} does not exist. Translate docs/${path}.`];
  const levels = (page: string): number[] => headingsOf(page).map(({ level }) => level);
  const differs = <Part>(part: (page: string) => Part): boolean =>
    JSON.stringify(part(english)) !== JSON.stringify(part(portuguese));
  const name = `docs/${inPortuguese(path)}`;
  return [
    ...(differs(levels) ? [`${name} has other headings than docs/${path}.`] : []),
    ...(differs(codeOf) ? [`${name} has other code than docs/${path}.`] : []),
    ...linkFaults(read, inPortuguese(path)),
  ];
}

/** Returns the links of a page to pages and anchors that do not exist. */
export function linkFaults(read: ReadPage, path: string): string[] {
  const page = read(path) ?? '';
  return linksOf(page).flatMap((target) => {
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? page : read(pageOf(path, file));
    if (linked === undefined) return [`docs/${path} links to ${target}, which does not exist.`];
    const hasAnchor = anchor === undefined || headingsOf(linked).some((heading) => heading.anchor === anchor);
    return hasAnchor ? [] : [`docs/${path} links to ${target}, which is not a heading there.`];
  });
}

/** Returns the file of a link, written as `../page.md`, `folder/` or `/page`. */
function pageOf(from: string, link: string): string {
  const path = link.startsWith('/') ? link.slice(1) : normalize(join(dirname(from), link));
  if (path === '' || path.endsWith('/')) return `${path}index.md`;
  return path.endsWith('.md') ? path : `${path}.md`;
}
