import { type BuiltPages, buildPages, findBuiltPages } from './built-pages.ts';
import { capture } from './run-command.ts';

const pages: BuiltPages = {
  name: 'manual',
  sources: ['docs/**/*.md', 'docs/public/*', 'docs/.vitepress/*.ts', 'docs/.vitepress/theme/*'],
  build: (directory) =>
    capture('vitepress', ['build', 'docs', '--outDir', directory], { env: { NODE_ENV: 'production' } }),
};

export const buildManual = (): Promise<string> => buildPages(pages);

export const builtManual = (): string | undefined => findBuiltPages(pages);
