import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { portugueseLocale, portugueseSearch } from './portuguese.ts';
import { sidebar, translated } from './sidebar.ts';

export interface ThemeConfig extends DefaultTheme.Config {
  /** Pages that exist in both languages, for the language switch. */
  translated: string[];
}

/** The manual, served by every installation under /manual/ without external resources. */
export default defineConfig<ThemeConfig>({
  title: 'Disca',
  description: 'Manual of Disca, a self-hosted prepaid voice service with click-to-call.',
  lang: 'en',
  base: '/manual/',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/manual/mark.svg' }]],
  cleanUrls: false,
  lastUpdated: false,
  srcExclude: ['examples/**'],
  // Repository files outside the manual cannot be linked from its pages. Any other dead link fails the build.
  ignoreDeadLinks: [/\/\.\.\/(deploy|README|ARCHITECTURE|CONTRIBUTING|STYLE)/, /^\.\/\.\.\/(deploy|README)/],
  locales: { root: { label: 'English', lang: 'en' }, 'pt-BR': portugueseLocale },
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local', options: { locales: { 'pt-BR': portugueseSearch } } },
    translated: translated.map((path) => `${path}.md`),
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Guides', link: '/guides/first-call' },
      { text: 'API', link: '/reference/api/' },
      { text: 'Operate', link: '/operate/install' },
    ],
    sidebar,
  },
  markdown: {
    config: (md) => {
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, index, options, env: { relativePath?: string }, self) => {
        const reason = / not run: (?<reason>.+)$/.exec(tokens[index]?.info ?? '')?.groups?.reason;
        const label = env.relativePath?.startsWith('pt-BR/')
          ? 'Não executado nos testes'
          : 'Not run in tests';
        const note = reason === undefined ? '' : `<p class="not-run">${label}: ${reason}.</p>`;
        return `${fence?.(tokens, index, options, env, self) ?? ''}${note}`;
      };
    },
  },
  vite: {
    logLevel: 'warn',
    resolve: {
      alias: [
        {
          find: /^\.\.\/composables\/langs$/,
          replacement: fileURLToPath(new URL('theme/langs.ts', import.meta.url)),
        },
      ],
    },
  },
});
