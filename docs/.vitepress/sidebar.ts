import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Entry {
  text: string;
  link: string;
}

const docs = join(import.meta.dirname, '..');

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
  { text: 'Get started', items: pages('quick-start', 'concepts') },
  {
    text: 'Guides',
    items: pages(
      'guides/first-call',
      'guides/tokens',
      'guides/permissions',
      'guides/second-factor',
      'guides/phone-numbers',
      'guides/requests',
      'guides/test-mode',
      'guides/request-log',
      'guides/search',
      'webhooks',
      'guides/softphones',
      'guides/top-ups',
      'guides/browsers',
      'guides/sdk',
      'guides/cli',
      'guides/an-afternoon',
      'guides/moving-over',
      'guides/going-live',
    ),
  },
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
