import type { paths } from '../../../api/schema.ts';
import { type CsvReading, readCsv } from '../../../shared/csv/read-csv.ts';
import { plainText } from '../../../shared/format/plain-text.ts';

/** Columns in the order of the sample file. */
export const columns = ['number', 'name', 'deal'] as const;
export type Column = (typeof columns)[number];

/** Header names of each column; compared without case, accents and separators. */
const names: Record<Column, readonly string[]> = {
  number: [
    ...['number', 'phone', 'phone number', 'telephone', 'mobile', 'whatsapp'],
    ...['número', 'telefone', 'número de telefone', 'celular', 'fone', 'tel'],
  ],
  name: [
    ...['name', 'full name', 'contact', 'contact name', 'customer', 'client'],
    ...['nome', 'nome completo', 'contato', 'nome do contato', 'cliente', 'nome do cliente'],
  ],
  deal: [
    ...['deal', 'deal name', 'opportunity', 'ticket', 'order', 'proposal'],
    ...['negócio', 'oportunidade', 'pedido', 'proposta', 'protocolo'],
  ],
};

const squeeze = (text: string): string => plainText(text).replaceAll(/[^a-z]/g, '');

export const maxRows = 50_000;
const maxBytes = 10_000_000;

export interface Row {
  /** Line number in the file, from 1. */
  line: number;
  cells: Record<Column, string>;
}

export type Reading = { rows: Row[] } | { refused: 'columns' } | Extract<CsvReading, { refused: string }>;

/** Reads the columns with known names in any order; the number and one other are required. */
export async function readFile(file: File): Promise<Reading> {
  const reading = await readCsv(file, { maxBytes, maxRows });
  if ('refused' in reading) return reading;
  const found = reading.head.map(findColumn);
  const place = (column: Column): number => found.indexOf(column);
  if (place('number') < 0 || (place('name') < 0 && place('deal') < 0)) return { refused: 'columns' };
  return {
    rows: reading.body.map(({ line, cells }) => {
      const cell = (column: Column): string => unescaped(cells[place(column)] ?? '');
      return { line, cells: { number: cell('number'), name: cell('name'), deal: cell('deal') } };
    }),
  };
}

/** Removes the apostrophe with which our own files keep spreadsheets from reading a value as a formula. */
const unescaped = (text: string): string => text.replace(/^'(?=[=+@-])/, '');

function findColumn(header: string): Column | undefined {
  const plain = squeeze(header);
  return columns.find((column) => names[column].some((name) => squeeze(name) === plain));
}

type SentContact =
  paths['/contacts/import']['post']['requestBody']['content']['application/json']['contacts'][number];

const longestNumber = 100;
const longestText = 1_000;

/** The row as it is sent. Longer texts are cut to what a request may contain, and refused as too long. */
export function toContact(
  { cells: { number, name, deal } }: Row,
  read = (text: string) => text,
): SentContact {
  return {
    number: read(number).slice(0, longestNumber),
    name: name.slice(0, longestText) || null,
    deal: deal.slice(0, longestText) || null,
  };
}

/** Returns a file with these column names and examples. */
export const sample = (head: string[], deal: string): string =>
  [head.join(';'), `+55 11 98765-4321;Marina Alves;${deal} 4711`, '(21) 98765-0002;Rui Prado;', ''].join(
    '\r\n',
  );
