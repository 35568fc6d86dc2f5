import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Compressed once, when built, so that the best compression costs nothing when it is served. */
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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compress()],
  // The server puts a fresh value into every page that it sends.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Images are files: the policy of the page allows no others where it can be helped.
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    // `DISCA_API=http://127.0.0.1:PORT vite console` is a console that reloads itself.
    proxy: Object.fromEntries(
      ['/api', '/docs'].map((path) => [path, { target: process.env.DISCA_API ?? 'http://127.0.0.1:3000' }]),
    ),
  },
});
