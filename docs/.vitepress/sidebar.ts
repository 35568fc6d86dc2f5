import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Entry {
  text: string;
  link: string;
}

export const docs = join(import.meta.dirname, '..');
export const portuguese = 'pt-BR';

/** The pages of the sections that exist in both languages, in their order. */
const start = ['quick-start', 'concepts'];
const guides = [
  'guides/first-call',
  'guides/tokens',
  'guides/permissions',
  'guides/second-factor',
  'guides/single-sign-on',
  'guides/phone-numbers',
  'guides/requests',
  'guides/test-mode',
  'guides/request-log',
  'guides/search',
  'guides/control-calls',
  'guides/notes',
  'guides/contacts',
  'guides/availability',
  'webhooks',
  'guides/softphones',
  'guides/top-ups',
  'guides/browsers',
  'guides/sdk',
  'guides/cli',
  'guides/an-afternoon',
  'guides/moving-over',
  'guides/going-live',
];

/** The pages that the Portuguese manual has; all others are in English only. */
export const translated = ['index', ...start, ...guides, 'reference/errors'];

/** Returns a sidebar entry titled with the page's first heading. */
function page(path: string): Entry {
  const title = /^# (?<title>.+)$/m.exec(readFileSync(join(docs, `${path}.md`), 'utf8'))?.groups?.title;
  return { text: title ?? path, link: `/${path}` };
}

const pages = (...paths: string[]): Entry[] => paths.map(page);

function folder(path: string): Entry[] {
  const names = readdirSync(join(docs, path)).filter((name) => name.endsWith('.md') && name !== 'index.md');
  return names.sort().map((name) => page(`${path}/${name.replace(/\.md$/, '')}`));
}

export const sidebar = [
  { text: 'Get started', items: pages(...start) },
  { text: 'Guides', items: pages(...guides) },
  {
    text: 'Reference',
    items: [
      { text: 'API', link: '/reference/api/', collapsed: true, items: folder('reference/api') },
      ...pages('reference/errors', 'reference/limits', 'reference/scopes', 'configuration'),
    ],
  },
  {
    text: 'Operate',
    items: pages(
      'operate/install',
      'operate/upgrade',
      'operate/machines',
      'operate/database',
      'operate/scale-out',
      'operate/backup',
      'operate/operators',
      'operate/secure',
      'operate/keys',
      'operate/monitor',
      'operate/troubleshoot',
      'recordings',
      'operate/lgpd',
      'operate/licences',
    ),
  },
  {
    text: 'Design',
    items: pages('architecture', 'reliability', 'performance', 'scale'),
  },
  { text: 'Decisions', collapsed: true, items: folder('decisions') },
  { text: 'Specification', collapsed: true, items: pages('spec/clauses', 'spec/decisions') },
];

/** Returns the entries of the pages in Portuguese. */
const inPortuguese = (paths: string[]): Entry[] =>
  paths
    .filter((path) => existsSync(join(docs, portuguese, `${path}.md`)))
    .map((path) => page(`${portuguese}/${path}`));

export const portugueseSidebar = [
  { text: 'Primeiros passos', items: inPortuguese(start) },
  { text: 'Guias', items: inPortuguese(guides) },
  { text: 'Referência', items: inPortuguese(['reference/errors']) },
  {
    text: 'Somente em inglês',
    items: [
      { text: 'Referência da API', link: '/reference/api/' },
      { text: 'Limites', link: '/reference/limits' },
      { text: 'Escopos', link: '/reference/scopes' },
      { text: 'Instalação e operação', link: '/operate/install' },
      { text: 'Configuração', link: '/configuration' },
      { text: 'Gravações e eliminação de dados', link: '/recordings' },
      { text: 'LGPD', link: '/operate/lgpd' },
      { text: 'Arquitetura', link: '/architecture' },
    ],
  },
];
