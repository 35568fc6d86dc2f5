import { defineConfig } from 'vitepress';
import { sidebar } from './sidebar.ts';

/** The manual, served by every installation under /manual/ without external resources. */
export default defineConfig({
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
  themeConfig: {
    logo: '/mark.svg',
    search: { provider: 'local' },
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
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const reason = / not run: (?<reason>.+)$/.exec(tokens[index]?.info ?? '')?.groups?.reason;
        const note = reason === undefined ? '' : `<p class="not-run">Not run in tests: ${reason}.</p>`;
        return `${fence?.(tokens, index, ...rest) ?? ''}${note}`;
      };
    },
  },
  vite: { logLevel: 'warn' },
});
