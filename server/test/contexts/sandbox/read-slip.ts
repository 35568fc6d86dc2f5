/** Reads the line of a bank slip: 47 digits, one check digit per field, and one for the whole bar code. */
export function readBarcode(line: string): string {
  const parts = /^(\d{4})(\d{5})(\d)(\d{10})(\d)(\d{10})(\d)(\d)(\d{14})$/.exec(line);
  if (!parts) throw new Error(`${line} does not have 47 digits`);
  const [, bank = '', first = '', check1, second = '', check2, third = '', check3, whole, due = ''] = parts;
  const actual = [check1, check2, check3].join('');
  const expected = [bank + first, second, third].map(fieldCheckDigit).join('');
  if (actual !== expected) throw new Error(`The fields' check digits are ${actual} instead of ${expected}`);
  const free = first + second + third;
  if (Number(whole) !== barcodeCheckDigit(bank + due + free))
    throw new Error(`${whole} is not the check digit of ${line}`);
  return `${bank}${whole}${due}${free}`;
}

/** Multiplies the digits by 2, 1, 2 … from the right, sums the digits of the products, and rounds up to ten. */
function fieldCheckDigit(digits: string): number {
  const products = [...digits].map((digit, at) => Number(digit) * ((digits.length - at) % 2 === 1 ? 2 : 1));
  const sum = [...products.join('')].reduce((total, digit) => total + Number(digit), 0);
  return Math.ceil(sum / 10) * 10 - sum;
}

function barcodeCheckDigit(digits: string): number {
  const weights = '4329876543298765432987654329876543298765432';
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * Number(weights[at]), 0);
  const check = 11 - (sum % 11);
  return [0, 10, 11].includes(check) ? 1 : check;
}
