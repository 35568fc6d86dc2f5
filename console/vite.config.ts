import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Compresses assets at build time, at the highest level, so that serving them costs no CPU. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const directory = join(dir, 'assets');
      for (const name of readdirSync(directory).filter((each) => /\.(js|css|svg)$/.test(each))) {
        const content = readFileSync(join(directory, name));
        writeFileSync(join(directory, `${name}.br`), brotliCompressSync(content));
        writeFileSync(join(directory, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}

const source = (path: string): string => join(import.meta.dirname, 'src', path);

const boot = source('boot.ts');
/** The first modules that a logged-in user needs; the page preloads them. */
const firstShown = [source('app/shell.tsx'), source('features/home/page.tsx')];
const first = [source('main.tsx'), ...firstShown, source('features/auth/login.tsx')];

/** Preloads the style sheet. The script of the page adds it, so that the frame is painted before it arrives. */
const preloadSheet = (html: string): string =>
  html.replace('<link rel="stylesheet"', '<link rel="preload" as="style"');

/**
 * Puts all modules of the first screens into one chunk of our code and one of libraries. By default the bundler splits
 * a chunk for every set of shared modules, which are dozens of requests on a slow network. The boot script is a separate
 * chunk without dependencies.
 */
function firstScreens() {
  const [booting, shown] = [new Set<string>(), new Set<string>()];
  const plugin: Plugin = {
    name: 'first-screens',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: boot, name: 'boot' });
    },
    buildEnd() {
      const collect = (ids: Set<string>, id: string): void => {
        if (ids.has(id)) return;
        ids.add(id);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) collect(ids, imported);
      };
      collect(booting, boot);
      for (const id of first) collect(shown, id);
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
        const filesOf = (ids: string[]): string[] =>
          chunks
            .filter(({ facadeModuleId }) => ids.includes(facadeModuleId ?? ''))
            .map(({ fileName }) => fileName);
        const [bootFile = ''] = filesOf([boot]);
        const fonts = Object.keys(bundle).filter((file) => file.endsWith('.woff2'));
        const neededBy = chunks.find(({ fileName }) => fileName === bootFile)?.imports ?? [];
        const load = (file: string) => ({ crossorigin: true, nonce: '__NONCE__', href: `/${file}` });
        const tags = [
          {
            tag: 'script',
            attrs: {
              type: 'module',
              async: true,
              crossorigin: true,
              nonce: '__NONCE__',
              src: `/${bootFile}`,
            },
            injectTo: 'head-prepend' as const,
          },
          ...fonts.map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          })),
          ...[...neededBy, ...filesOf(firstShown)].map((file, place) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', ...load(file) },
            injectTo: place < neededBy.length ? ('head-prepend' as const) : ('head' as const),
          })),
        ];
        return { html: preloadSheet(html), tags };
      },
    },
  };
  const isLibrary = (id: string): boolean => id.includes('/node_modules/');
  const groups = [
    { name: 'boot', test: (id: string) => booting.has(id), priority: 3 },
    { name: 'libraries', test: (id: string) => isLibrary(id) && shown.has(id), priority: 2 },
    { name: 'first', test: (id: string) => shown.has(id), priority: 1 },
  ];
  return { plugin, groups };
}

const { plugin, groups } = firstScreens();

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compress(), plugin],
  // The server replaces it with a new nonce in every response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Keeps images as files instead of data: URLs.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The chunk shared by all screens is large on purpose.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    // Development server: `DISCA_API=http://127.0.0.1:PORT vite console`.
    proxy: Object.fromEntries(
      ['/api', '/docs', '/manual'].map((path) => [
        path,
        { target: process.env.DISCA_API ?? 'http://127.0.0.1:3000' },
      ]),
    ),
  },
});
