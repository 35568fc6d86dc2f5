import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listen } from '../../server/test/webhooks/servers.ts';
import { buildCli } from '../build.ts';

const run = promisify(execFile);

test('the package is one file that runs where nothing of the service is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'disca-cli-package-'));
  await buildCli();
  const cli = join(import.meta.dirname, '..');
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: cli });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), '{}');
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quietly, join(folder, filename)], { cwd: folder });
  const disca = join(folder, 'node_modules/.bin/disca');
  const env = { PATH: process.env.PATH, HOME: folder };
  const help = await run(disca, ['--help'], { env });
  expect(help.stdout).toContain('listen [options]');
  expect(help.stdout).not.toContain('operators');

  let signature: string | undefined;
  const receiver = await listen(
    createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { 'webhook-id': id, 'webhook-timestamp': at } = request.headers;
      const expected = createHmac('sha256', Buffer.alloc(24, 5)).update(
        `${String(id)}.${String(at)}.${body}`,
      );
      signature = `v1,${expected.digest('base64')}`;
      response.writeHead(signature === request.headers['webhook-signature'] ? 204 : 401).end();
    }),
  );
  const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
  const forward = ['--forward', `http://127.0.0.1:${receiver.port}/`, '--secret', secret];
  const sent = await run(disca, ['trigger', 'charge-paid', ...forward], { env });
  expect(sent.stdout).toContain(' 204 ');
  await receiver.close();
  expect((await stat(join(cli, 'dist/disca.js'))).size).toBeLessThan(250_000);
  await rm(folder, { recursive: true });
});
