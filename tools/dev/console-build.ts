import { type BuiltPages, buildPages, findBuiltPages } from './built-pages.ts';
import { capture } from './run-command.ts';

const pages: BuiltPages = {
  name: 'console',
  sources: [
    'console/index.html',
    'console/vite.config.ts',
    'console/tsconfig.json',
    'console/src/**/*',
    'docs/examples/webhooks/*',
    'sdk/src/server-sent.ts',
    'server/src/platform/{cause-texts,party,phone}.ts',
  ],
  build: (directory) =>
    // Set explicitly: tests use another mode, in which libraries are larger and slower.
    capture('vite', ['build', 'console', '--outDir', directory, '--logLevel', 'warn'], {
      env: { NODE_ENV: 'production' },
    }),
};

export const buildConsole = (): Promise<string> => buildPages(pages);

export const builtConsole = (): string | undefined => findBuiltPages(pages);
