/** No bank in Brazil has this number, so that no bank takes the slip for one of its own. */
const fictitiousBank = '999';
const realCurrency = '9';

export interface BankSlip {
  number: number;
  totalMicros: number;
  /** YYYY-MM-DD. */
  dueDate: string;
}

/**
 * The line of 47 digits that a payer types (FEBRABAN): three fields with a check digit each, the check digit of the
 * whole bar code, and at the end due date and amount.
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

/** `99990.00000 00000.000000 00000.000125 1 15650000015000`, as slips print it. */
export const printedLine = (line: string): string =>
  line.replace(/^(.{5})(.{5})(.{5})(.{6})(.{5})(.{6})(.)(.{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8');

/** Days since 7 October 1997 in four digits; after 9999, in February 2025, the count began again at 1000. */
function dueFactor(dueDate: string): string {
  const days = (Date.parse(`${dueDate}T00:00:00Z`) - Date.UTC(1997, 9, 7)) / (24 * 3600 * 1000);
  return String(((days - 1000) % 9000) + 1000);
}

/** Modulo 10: digits times 2, 1, 2 … from the right, and the digits of each product are added. */
function checkDigit10(digits: string): number {
  const sum = fromTheRight(digits).reduce((total, digit, place) => {
    const product = digit * (place % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** Modulo 11: digits times 2 to 9 and again from the right; what does not fit one digit is told as 1. */
function checkDigit11(digits: string): number {
  const sum = fromTheRight(digits).reduce((total, digit, place) => total + digit * (2 + (place % 8)), 0);
  const digit = 11 - (sum % 11);
  return digit > 9 ? 1 : digit;
}

const fromTheRight = (digits: string): number[] => [...digits].map(Number).reverse();
