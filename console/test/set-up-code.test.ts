import { expect, test } from 'vitest';
import type { Extension } from '../src/features/extensions/queries.ts';
import { apps, codeText } from '../src/features/extensions/set-up/apps.ts';

const extension = {
  ramal: '1000',
  domain: 'padaria.disca.example',
  senha: 'a&b<c>"d"',
  first_name: 'Íris',
  last_name: 'Souza',
} as Extension;
const nowhere = { tls: null, plain: null };
const app = (appName: string) => apps.find(({ name }) => name === appName) ?? apps[0];

test('account QR codes contain the configured server, or none to use the domain', () => {
  const text = codeText(app('wave'), extension, { tls: 'sip.disca.example:5061', plain: '192.0.2.7:5060' });
  expect(text).toContain('<RegisterServer>padaria.disca.example</RegisterServer>');
  expect(text).toContain('<OutboundServer>192.0.2.7:5060</OutboundServer>');
  expect(text).toContain('<AuthPass>a&amp;b&lt;c&gt;&quot;d&quot;</AuthPass>');
  expect(text).toContain('<DisplayName>Iris Souza</DisplayName>');
  expect(codeText(app('wave'), extension, nowhere)).toContain('<OutboundServer></OutboundServer>');
});

test('other QR codes contain the password only, or are not offered', () => {
  expect(codeText(app('linphone'), extension, nowhere)).toBe('a&b<c>"d"');
  expect(codeText(app('microsip'), extension, nowhere)).toBeUndefined();
  const { senha: _, ...unknown } = extension;
  expect(codeText(app('wave'), unknown as Extension, nowhere)).toBeUndefined();
});
