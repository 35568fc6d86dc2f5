import { expect, test } from 'vitest';
import { readConfig } from '../../src/main/config.ts';
import { testSettings } from '../harness/platform.ts';

test('a fee that is no whole number of centavos is refused at start, before a gateway cannot ask for it', () => {
  const settings = testSettings('postgres://disca@127.0.0.1/disca', 'redis://127.0.0.1');
  expect(readConfig({ ...settings, CHARGE_FEE: '1.99' }).CHARGE_FEE).toBe(1.99);
  expect(() => readConfig({ ...settings, CHARGE_FEE: '0.005' })).toThrow('CHARGE_FEE');
});
