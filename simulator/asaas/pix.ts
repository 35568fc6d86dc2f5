/** A one-pixel image. */
export const onePixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** Returns a dynamic Pix code: EMV fields of tag, length and value, with a CRC-16 at the end. */
export function pixCode(id: string, value: number): string {
  const account = field('00', 'br.gov.bcb.pix') + field('25', `pix.example.com/qr/${id}`);
  const fields = [
    field('00', '01'),
    field('26', account),
    field('52', '0000'),
    field('53', '986'),
    field('54', value.toFixed(2)),
    field('58', 'BR'),
    field('59', 'ASAAS SIMULADO'),
    field('60', 'JOINVILLE'),
    field('62', field('05', '***')),
  ];
  const text = `${fields.join('')}6304`;
  return text + crc16(text);
}

const field = (tag: string, value: string) => `${tag}${String(value.length).padStart(2, '0')}${value}`;

function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    crc &= 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
