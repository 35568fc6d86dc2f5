import { expect, test } from 'vitest';
import { readConfig } from '../../src/main/config.ts';
import { testSettings } from '../harness/platform.ts';

test('rejects a fee that is not a whole number of centavos at start', () => {
  const settings = testSettings('postgres://disca@127.0.0.1/disca', 'redis://127.0.0.1');
  expect(readConfig({ ...settings, CHARGE_FEE: '1.99' }).CHARGE_FEE).toBe(1.99);
  expect(() => readConfig({ ...settings, CHARGE_FEE: '0.005' })).toThrow('CHARGE_FEE');
});
