import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startReceiver } from '../../sdk/test/harness/receiver.ts';
import { buildCli } from '../build.ts';

const run = promisify(execFile);

test('the package is a single file that runs without the service', async () => {
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

  const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
  const receiver = await startReceiver(({ headers, body }) => {
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const expected = createHmac('sha256', Buffer.alloc(24, 5)).update(signed).digest('base64');
    return headers['webhook-signature'] === `v1,${expected}` ? 204 : 401;
  });
  const forward = ['--forward', receiver.url, '--secret', secret];
  const sent = await run(disca, ['trigger', 'charge-paid', ...forward], { env });
  expect(sent.stdout).toContain(' 204 ');
  await receiver.close();
  expect((await stat(join(cli, 'dist/disca.js'))).size).toBeLessThan(250_000);
  await rm(folder, { recursive: true });
});
