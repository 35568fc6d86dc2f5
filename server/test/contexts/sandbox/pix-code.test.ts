import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pixCode } from '../../../src/contexts/sandbox/pix-code.rules.ts';
import { parsePixCode } from '../../adapters/payments/pix-code.ts';

const wish = {
  key: '123e4567-e12b-12d1-a456-426655440000',
  payeeName: 'Fulano de Tal',
  payeeCity: 'BRASILIA',
  totalMicros: 10_000_000,
  transactionId: 'RP12345678',
};

test('CHARGE-27 the code parses field by field, including the key and the payment name', () => {
  const fields = parsePixCode(pixCode(wish));
  expect(fields).toMatchObject({
    '00': '01',
    '52': '0000',
    '53': '986',
    '54': '10.00',
    '58': 'BR',
    '59': 'Fulano de Tal',
    '60': 'BRASILIA',
    '62': '0510RP12345678',
  });
  expect(fields['26']).toBe(`0014br.gov.bcb.pix0136${wish.key}`);
});

test('the checksum matches the example in the Banco Central manual', () => {
  // The example of the manual has no amount; its checksum is 1D3D.
  const printed =
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
  expect(parsePixCode(printed)).toMatchObject({ '59': 'Fulano de Tal' });
  const withAmount = pixCode({ ...wish, transactionId: '***' });
  expect(withAmount.replace('540510.00', '').slice(0, -4)).toBe(printed.slice(0, -4));
});

test('CHARGE-27 every amount of whole centavos is exact', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (centavos) => {
      const written = parsePixCode(pixCode({ ...wish, totalMicros: centavos * 10_000 }))['54'] ?? '';
      expect(written).toMatch(/^\d+\.\d\d$/);
      expect(Number(written.replace('.', ''))).toBe(centavos);
    }),
  );
});

test('names are written without accents and truncated to fit', () => {
  const fields = parsePixCode(
    pixCode({ ...wish, payeeName: 'Ação & Emoção 😀 do Município Ltda', payeeCity: 'São Luís do Maranhão' }),
  );
  expect(fields).toMatchObject({ '59': 'Acao & Emocao  do Municip', '60': 'Sao Luis do Mar' });
});
