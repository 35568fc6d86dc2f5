/** A fenced block of code. Its reason for not being run is prose, and is left out of its label. */
export interface Code {
  label: string;
  text: string;
}

const fence = /^(?<indent> *)```(?<info>[^\n]*)\n(?<text>[\s\S]*?)^\k<indent>```$/gm;
const frontMatter = /^---\n(?<yaml>[\s\S]*?)\n---\n/;

export const codeOf = (page: string): Code[] =>
  [...page.matchAll(fence)].map(({ groups: { info = '', text = '' } = {} }) => ({
    label: info.replace(/ not run: .+/, ' not run'),
    text,
  }));

export const frontMatterOf = (page: string): string => frontMatter.exec(page)?.groups?.yaml ?? '';

/** Returns the page without front matter and code. */
const proseOf = (page: string): string => page.replace(frontMatter, '').replaceAll(fence, '');

export interface Heading {
  level: number;
  anchor: string;
}

export const headingsOf = (page: string): Heading[] =>
  [...proseOf(page).matchAll(/^(?<marks>#{1,6}) (?<text>.+)$/gm)].map(
    ({ groups: { marks = '', text = '' } = {} }) => ({ level: marks.length, anchor: anchorOf(text) }),
  );

/** Returns the targets of the page's links, without those to other sites. */
export const linksOf = (page: string): string[] => {
  const prose = proseOf(page).replaceAll(/`[^`\n]*`/g, '');
  const inText = [...prose.matchAll(/\]\((?<target>[^)\s]+)\)/g)];
  const onHomePage = [...frontMatterOf(page).matchAll(/^ *link: (?<target>\S+)$/gm)];
  return [...inText, ...onHomePage]
    .map(({ groups }) => groups?.target ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));
};

/** Returns the anchor that VitePress gives a heading (`slugify` of @mdit-vue/shared). */
const anchorOf = (heading: string): string =>
  heading
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .replace(/^\d/, '_$&')
    .toLowerCase();
