import { CsvError, parse } from 'csv-parse/sync';
import { type Fault, invalid } from '../../../platform/errors.ts';
import { microsFromReais } from '../../../platform/money.ts';

export interface DeckRate {
  prefix: string;
  description: string;
  pricePerMinuteMicros: number;
  minimumSeconds: number;
  stepSeconds: number;
  freeSeconds: number;
}

const columns = [
  'prefix',
  'description',
  'price_per_minute',
  'minimum_seconds',
  'step_seconds',
  'free_seconds',
] as const;
type Row = Partial<Record<(typeof columns)[number], string>>;

/** Default billing increments, the usual ones of Brazilian carriers. */
const usual = { minimum_seconds: '30', step_seconds: '6', free_seconds: '3' };
const maxFaults = 50;
const maxPriceMicros = 1_000_000_000;

/** Parses a rate deck and reports every error with its line; prices are reais with at most six decimals. */
export function readDeck(csv: string): DeckRate[] {
  const rows = rowsOf(csv);
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const rates = rows.map((row, index) => {
    const line = index + 2;
    const fault = (column: string, message: string) =>
      faults.push({ path: `line ${line}`, code: 'invalid', message: `Line ${line}: ${column} ${message}.` });
    const prefix = row.prefix ?? '';
    if (!/^\d{1,15}$/.test(prefix)) fault('prefix', 'must be 1 to 15 digits');
    else if (seen.has(prefix)) fault('prefix', `${prefix} is a duplicate`);
    seen.add(prefix);
    const price = row.price_per_minute ?? '';
    if (!/^\d{1,6}(\.\d{1,6})?$/.test(price)) fault('price_per_minute', 'must be reais such as 0.12');
    else if (microsFromReais(Number(price)) > maxPriceMicros)
      fault('price_per_minute', 'must be at most R$ 1000');
    const seconds = (column: keyof typeof usual, least: number): number => {
      const value = Number(row[column] || usual[column]);
      if (!Number.isInteger(value) || value < least || value > 3600)
        fault(column, `must be a whole number from ${least} to 3600`);
      return value;
    };
    return {
      prefix,
      description: row.description ?? '',
      pricePerMinuteMicros: microsFromReais(Number(price)),
      minimumSeconds: seconds('minimum_seconds', 0),
      stepSeconds: seconds('step_seconds', 1),
      freeSeconds: seconds('free_seconds', 0),
    };
  });
  if (rows.length === 0)
    throw invalid({
      path: '',
      code: 'empty',
      message: `The file has no rates. Its columns are ${columns.join(', ')}.`,
    });
  if (faults.length > 0) throw invalid(...faults.slice(0, maxFaults));
  return rates;
}

/**
 * Parses the rows. A row may omit trailing columns. A row with more columns than the header is refused: with a decimal
 * comma, 0,12 would be two columns and the price 0. Unknown columns are refused as well: a misspelt one would be
 * treated as missing.
 */
function rowsOf(csv: string): Row[] {
  try {
    return parse(csv, {
      columns: (header: string[]) => header.map(knownColumn),
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const message =
      error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
        ? `Line ${error.lines}: more columns than in the header. Use a decimal point in prices, not a comma.`
        : `${error.message}.`;
    throw invalid({ path: `line ${error.lines}`, code: 'invalid', message });
  }
}

function knownColumn(name: string): string {
  if (columns.some((column) => column === name)) return name;
  throw invalid({
    path: 'line 1',
    code: 'unknown',
    message: `Line 1: unknown column ${name}. The columns are ${columns.join(', ')}.`,
  });
}

export interface DeckDifference {
  added: DeckRate[];
  removed: DeckRate[];
  changed: { before: DeckRate; after: DeckRate }[];
  unchanged: number;
}

/** Returns what would change if the new deck replaced the one in effect. */
export function compareDecks(before: DeckRate[], after: DeckRate[]): DeckDifference {
  const old = new Map(before.map((rate) => [rate.prefix, rate]));
  const difference: DeckDifference = { added: [], removed: [], changed: [], unchanged: 0 };
  for (const rate of after) {
    const previous = old.get(rate.prefix);
    old.delete(rate.prefix);
    if (!previous) difference.added.push(rate);
    else if (sameRate(previous, rate)) difference.unchanged += 1;
    else difference.changed.push({ before: previous, after: rate });
  }
  difference.removed.push(...old.values());
  return difference;
}

const sameRate = (a: DeckRate, b: DeckRate): boolean =>
  a.pricePerMinuteMicros === b.pricePerMinuteMicros &&
  a.minimumSeconds === b.minimumSeconds &&
  a.stepSeconds === b.stepSeconds &&
  a.freeSeconds === b.freeSeconds;
