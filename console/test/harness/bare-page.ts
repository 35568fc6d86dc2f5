import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Minimal page with data, as a baseline: a page, its script, and one request. */
const files: Record<string, { type: string; text: string }> = {
  '/': {
    type: 'text/html',
    text: '<!doctype html><title>Bare</title><script type="module" src="/page.js"></script>',
  },
  '/page.js': {
    type: 'text/javascript',
    text: `const { text } = await (await fetch('/data')).json(); document.body.append(Object.assign(document.createElement('h1'), { textContent: text }));`,
  },
  '/data': { type: 'application/json', text: '{"text":"shown"}' },
};

export async function startBarePage(): Promise<{ url: string; stop(): Promise<void> }> {
  const server: Server = createServer(({ url = '/' }, response) => {
    const file = files[url];
    if (file) response.writeHead(200, { 'Content-Type': file.type }).end(file.text);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
