/** A bank number that is not assigned in Brazil, so that no bank accepts the slip. */
const fictitiousBank = '999';
const realCurrency = '9';

export interface BankSlip {
  number: number;
  totalMicros: number;
  /** YYYY-MM-DD. */
  dueDate: string;
}

/**
 * Returns the 47-digit line that a payer types (FEBRABAN): three fields with a check digit each, the check digit of the
 * whole bar code, then due date and amount.
 */
export function bankSlipLine({ number, totalMicros, dueDate }: BankSlip): string {
  const free = String(number).padStart(25, '0');
  const amount = String(Math.round(totalMicros / 10_000)).padStart(10, '0');
  const dueAndAmount = `${dueFactor(dueDate)}${amount}`;
  const bank = `${fictitiousBank}${realCurrency}`;
  const fields = [`${bank}${free.slice(0, 5)}`, free.slice(5, 15), free.slice(15)];
  const checked = fields.map((digits) => `${digits}${checkDigit10(digits)}`).join('');
  return `${checked}${checkDigit11(`${bank}${dueAndAmount}${free}`)}${dueAndAmount}`;
}

/** Formats a line as printed on slips: `99990.00000 00000.000000 00000.000125 1 15650000015000`. */
export const printedLine = (line: string): string =>
  line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');

/** Days since 7 October 1997 in four digits; after 9999, in February 2025, the count restarted at 1000. */
function dueFactor(dueDate: string): string {
  const days = (Date.parse(`${dueDate}T00:00:00Z`) - Date.UTC(1997, 9, 7)) / (24 * 3600 * 1000);
  return String(((days - 1000) % 9000) + 1000);
}

/** Computes the modulo 10 check digit: digits times 2, 1, 2 … from the right, adding the digits of each product. */
function checkDigit10(digits: string): number {
  const sum = fromTheRight(digits).reduce((total, digit, place) => {
    const product = digit * (place % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/**
 * Computes the modulo 11 check digit: digits times 2 to 9, repeating, from the right; a result that is not a single
 * digit becomes 1.
 */
function checkDigit11(digits: string): number {
  const sum = fromTheRight(digits).reduce((total, digit, place) => total + digit * (2 + (place % 8)), 0);
  const digit = 11 - (sum % 11);
  return digit > 9 ? 1 : digit;
}

const fromTheRight = (digits: string): number[] => [...digits].map(Number).reverse();
