import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/dev/paths.ts';
import { renderFolder } from '../../tools/dev/voice/render.ts';

const render = join(root, 'deploy/containers/bin/render');
const temporary = (): string => mkdtempSync(join(tmpdir(), 'render-'));

/** Returns a value for every name used by the templates of a folder. */
function valuesFor(folder: string): Record<string, string> {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const names = new Set(
    texts.flatMap((text) => [...text.matchAll(/@([A-Z][A-Z0-9_]*)@/g)].map(([, name]) => name ?? '')),
  );
  const values = Object.fromEntries(
    [...names].map((name) => [name, `value of ${name.toLowerCase()} $1 \\ & /`]),
  );
  return {
    ...values,
    EDGES: '1=10.0.0.11:5060,2=10.0.0.12:5070',
    CARRIER_SIP: 'carrier=203.0.113.5:5060',
    CARRIER_TLS: '',
  };
}

it.each(['kamailio', 'asterisk', 'coturn'])(
  'an image fills the templates of %s exactly as development does',
  (engine) => {
    const source = join(root, 'deploy', engine);
    const values = valuesFor(source);
    const [here, there] = [temporary(), temporary()];
    renderFolder(source, here, values);
    execFileSync(render, [source, there], { env: { PATH: process.env.PATH, ...values } });
    expect(readdirSync(there).sort()).toEqual(readdirSync(here).sort());
    for (const name of readdirSync(here))
      expect(readFileSync(join(there, name), 'utf8')).toBe(readFileSync(join(here, name), 'utf8'));
  },
);

function renderOne(template: string, env: Record<string, string>) {
  const [source, target] = [temporary(), temporary()];
  writeFileSync(join(source, 'one.conf.in'), template);
  const result = spawnSync(render, [source, target], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return {
    ...result,
    text: result.status === 0 ? readFileSync(join(target, 'one.conf'), 'utf8') : undefined,
  };
}

it('reads a value from a file', () => {
  const file = join(temporary(), 'secret');
  writeFileSync(file, 'hidden\n');
  expect(renderOne('secret = @PASSWORD@', { PASSWORD_FILE: file }).text).toBe('secret = hidden');
});

it('names a value that is missing or has several lines', () => {
  expect(renderOne('@PASSWORD@', {}).stderr).toContain('uses PASSWORD');
  expect(renderOne('@PASSWORD@', { PASSWORD: 'a\nb' }).stderr).toContain('PASSWORD has more than one line');
});
