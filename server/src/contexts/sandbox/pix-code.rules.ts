export interface PixRequest {
  key: string;
  payeeName: string;
  payeeCity: string;
  totalMicros: number;
  /** Identifies the payment in the payee's bank statement: up to 25 letters and digits. */
  transactionId: string;
}

/**
 * Returns the copy-and-paste code of a Pix payment: a static BR Code as defined by the Banco Central, based on the EMV
 * standard for merchant-presented codes. A field is a two-digit id, a two-digit length and a value.
 */
export function pixCode({ key, payeeName, payeeCity, totalMicros, transactionId }: PixRequest): string {
  const unsealed = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', realCurrency),
    field('54', inReais(totalMicros)),
    field('58', 'BR'),
    field('59', plain(payeeName, 25)),
    field('60', plain(payeeCity, 15)),
    field('62', field('05', transactionId)),
    // The checksum also covers its own id and length.
    '6304',
  ].join('');
  return unsealed + crc16(unsealed).toString(16).toUpperCase().padStart(4, '0');
}

const realCurrency = '986';

function field(id: string, value: string): string {
  if (value.length > 99) throw new RangeError(`Field ${id} of a BR Code is longer than 99 characters.`);
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** Returns an amount such as `150.00`, computed from whole centavos without floating point. */
function inReais(micros: number): string {
  const centavos = String(Math.round(micros / 10_000)).padStart(3, '0');
  return `${centavos.slice(0, -2)}.${centavos.slice(-2)}`;
}

/** Replaces accented letters with plain ones: banks read only ASCII. */
const plain = (text: string, maxChars: number): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^ -~]/g, '')
    .slice(0, maxChars);

/** Computes CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF. */
function crc16(text: string): number {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
