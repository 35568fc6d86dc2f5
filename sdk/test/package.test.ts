import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSdk } from '../build.ts';
import { destination, type Service, startService } from './harness/service.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..');

/** Size budget of the SDK in a page: minified and compressed by brotli. */
const budgetBytes = { index: 6_000, webhooks: 1_200 };

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disca-sdk-'));
  await buildSdk();
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: sdk });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));
  const quietly = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...quietly, join(folder, filename)], { cwd: folder });
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Type-checks a program against the installed package. */
async function check(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  const options = [
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    'false',
    '--target',
    'es2024',
    '--module',
    'nodenext',
  ];
  const libraries = ['--lib', 'es2024,dom,dom.iterable,dom.asynciterable', '--types', ''];
  return await run('tsc', ['--ignoreConfig', ...options, ...libraries, name], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const sample = `
import { Disca, isDiscaError, verifyWebhook, type Call } from '@disca/sdk';
import { verifyWebhook as same } from '@disca/sdk/webhooks';

const disca = new Disca({ baseUrl: 'https://voice.example.com', token: 'x' });
export async function main(): Promise<void> {
  try {
    const placed = await disca.calls.place({ extension: '1000', called: '5511987654321', metadata: { deal: 7 } });
    const call: Call = await disca.calls.get(placed.id);
    const ended: string | null = call.ended_at;
    for await (const { id, to } of disca.calls.list({ where: { date: { gte: new Date() } }, fields: ['id', 'to'] }))
      console.log(id.length, to.length, ended);
    for await (const event of disca.events.stream({ after: 7 })) {
      if (event.type === 'call-priced') console.log(event.data.callPrice?.toFixed(2));
    }
  } catch (error) {
    if (isDiscaError(error, 'VALIDATION_ERROR')) console.log(error.faults[0].message);
    else if (isDiscaError(error, 'INSUFFICIENT_CREDIT')) console.log(error.status satisfies 402);
    else throw error;
  }
  const { payload } = await verifyWebhook('{}', new Headers(), ['whsec_AAAA']);
  if (payload.eventType === 'channel-hangup') console.log(payload.hangupCause);
  console.log(same === verifyWebhook);
}
`;

test('the package installs offline, and its types fit', async () => {
  expect(await check('sample.ts', sample)).toBe('');
});

test('type errors are found', async () => {
  const mistakes = {
    'an unknown field': `await disca.calls.place({ extension: '1000', called: '55', colour: 'red' });`,
    'a missing field': `await disca.calls.place({ called: '55' });`,
    'an unknown filter': `disca.calls.list({ where: { colour: 'red' } });`,
    'an unknown code': `isDiscaError(undefined, 'NO_SUCH_CODE');`,
    'an omitted field': `(await disca.calls.list({ fields: ['id'] }).take(1))[0]?.to;`,
    'an unknown event type': `await disca.integrations.test(1, 'channel-dance');`,
    'a field of another event type': `for await (const e of disca.events.list()) if (e.type === 'balance-low') e.data.caller;`,
  };
  const start = `import { Disca, isDiscaError } from '@disca/sdk';\nconst disca = new Disca({ baseUrl: '' });\n`;
  const lines = Object.values(mistakes);
  const faults = await check('mistakes.ts', `${start}isDiscaError(undefined);\n${lines.join('\n')}`);
  const isReported = lines.map((_, index) => faults.includes(`mistakes.ts(${index + 4},`));
  expect(Object.keys(mistakes).filter((__, index) => !isReported[index])).toEqual([]);
});

test('the installed package places a call without other dependencies', async () => {
  const program = `
    import { Disca } from '@disca/sdk';
    const disca = new Disca({ baseUrl: ${JSON.stringify(service.url)}, token: process.env.TOKEN });
    const { id } = await disca.calls.place({ extension: '${service.extension}', called: '${destination}' });
    console.log((await disca.calls.get(id)).status);`;
  await writeFile(join(folder, 'call.js'), program);
  const env = { ...process.env, TOKEN: service.account.admin.token };
  expect((await run(process.execPath, ['call.js'], { cwd: folder, env })).stdout).toBe('queued\n');
  const installed = JSON.parse(await readFile(join(folder, 'node_modules/@disca/sdk/package.json'), 'utf8'));
  expect(installed).toMatchObject({ name: '@disca/sdk', license: 'Apache-2.0' });
  expect(Object.keys(installed)).not.toContain('dependencies');
});

test('runs without Node, with the APIs of browsers and edge runtimes', async () => {
  const file = join(folder, 'page.js');
  const output = { file, format: 'iife' as const, name: 'sdk' };
  await build({ input: join(sdk, 'dist/index.js'), platform: 'browser', output, logLevel: 'warn' });
  const web = { fetch, Headers, Response, URL, URLSearchParams, AbortController, AbortSignal, TextEncoder };
  const more = { TextDecoder, TextDecoderStream, crypto, performance, setTimeout, clearTimeout, atob, btoa };
  const page = createContext({ ...web, ...more, baseUrl: service.url, token: service.account.admin.token });
  const script = `${await readFile(file, 'utf8')}
    (async () => {
      const disca = new sdk.Disca({ baseUrl, token });
      const secret = 'whsec_AAAAAAAAAAAAAAAA';
      const headers = await sdk.signWebhook('{"eventType":"charge-paid"}', secret, { id: 'msg_1' });
      const { payload } = await sdk.verifyWebhook('{"eventType":"charge-paid"}', headers, secret);
      const refusal = await disca.calls.get('x').catch((error) => error.code);
      return [(await disca.users.me()).email, payload.eventType, refusal];
    })()`;
  const result: unknown = await runInContext(script, page);
  expect(result).toEqual([service.account.admin.email, 'charge-paid', 'NOT_FOUND']);
});

test('stays within its size budget, and webhook verification alone is smaller', async () => {
  const sizes: Record<string, number> = {};
  await mkdir(join(folder, 'small'));
  for (const name of Object.keys(budgetBytes)) {
    const output = { file: join(folder, 'small', `${name}.js`), minify: true, format: 'esm' as const };
    await build({ input: join(sdk, `dist/${name}.js`), platform: 'browser', output, logLevel: 'warn' });
    sizes[name] = brotliCompressSync(await readFile(output.file)).length;
  }
  for (const [name, most] of Object.entries(budgetBytes)) expect(sizes[name]).toBeLessThanOrEqual(most);
});
