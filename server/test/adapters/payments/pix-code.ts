/** Parses an EMV code strictly: tag, length, value, and a checksum over everything before it. */
export function parsePixCode(code: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < code.length; ) {
    const length = Number(code.slice(at + 2, at + 4));
    const value = code.slice(at + 4, at + 4 + length);
    if (value.length !== length) throw new Error(`Field ${code.slice(at, at + 2)} is truncated`);
    fields[code.slice(at, at + 2)] = value;
    at += 4 + length;
  }
  const checksum = computeChecksum(code.slice(0, -4));
  if (fields['63'] !== checksum) throw new Error(`Checksum is ${fields['63']}, expected ${checksum}`);
  return fields;
}

/** Computes CRC-16 with polynomial 0x1021, bit by bit. */
function computeChecksum(text: string): string {
  let remainder = 0xffff;
  for (const byte of Buffer.from(text, 'utf8')) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carry = (remainder >> 15) ^ ((byte >> bit) & 1);
      remainder = (remainder << 1) & 0xffff;
      if (carry) remainder ^= 0x1021;
    }
  }
  return remainder.toString(16).toUpperCase().padStart(4, '0');
}
