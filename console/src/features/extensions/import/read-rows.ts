import { type CsvReading, readCsv } from '../../../shared/csv/read-csv.ts';
import { plainText } from '../../../shared/format/plain-text.ts';
import { generatePassword } from '../../../shared/forms/random-password.ts';
import type { NewExtension } from '../queries.ts';

/** Columns in the order of the sample file, with the header names that are accepted. */
export const columns = [
  'ramal',
  'first_name',
  'last_name',
  'email_address',
  'senha',
  'gravar_audio',
  'bina',
  'auto_answer',
] as const;
export type Column = (typeof columns)[number];

const otherNames: Record<string, Column> = {
  extension: 'ramal',
  number: 'ramal',
  numero: 'ramal',
  nome: 'first_name',
  'first name': 'first_name',
  sobrenome: 'last_name',
  'last name': 'last_name',
  email: 'email_address',
  'e-mail': 'email_address',
  password: 'senha',
  gravar: 'gravar_audio',
  record: 'gravar_audio',
  'caller id': 'bina',
};
const required = ['ramal', 'first_name', 'last_name', 'email_address'] as const;

export const maxRows = 5000;
const maxBytes = 2_000_000;

export interface Row {
  /** Line number in the file, from 1. */
  line: number;
  /** Whether the password was generated because the file has none. */
  isPasswordGenerated: boolean;
  cells: Record<Column, string>;
}

export type Reading =
  | { rows: Row[] }
  | { refused: 'columns'; missing: string[] }
  | Extract<CsvReading, { refused: string }>;

export async function readFile(file: File): Promise<Reading> {
  const reading = await readCsv(file, { maxBytes, maxRows });
  if ('refused' in reading) return reading;
  const columnNames = reading.head.map(findColumn);
  const missing = required.filter((name) => !columnNames.includes(name));
  if (missing.length > 0) return { refused: 'columns', missing };
  return { rows: reading.body.map(({ line, cells }) => toRow(line, cells, columnNames)) };
}

function findColumn(name: string): Column | undefined {
  const plain = plainText(name);
  return columns.find((each) => each === plain) ?? otherNames[plain];
}

function toRow(line: number, record: string[], columnNames: (Column | undefined)[]): Row {
  const cells = Object.fromEntries(columns.map((name) => [name, ''])) as Record<Column, string>;
  for (const [index, name] of columnNames.entries()) if (name) cells[name] = record[index] ?? '';
  const isPasswordGenerated = cells.senha === '';
  return {
    line,
    isPasswordGenerated,
    cells: isPasswordGenerated ? { ...cells, senha: generatePassword() } : cells,
  };
}

const noWords = ['', '0', 'nao', 'não', 'no', 'false'];
const yesWords = ['1', 'sim', 'yes', 'true'];

function readFlag(text: string): boolean | string {
  const word = text.toLowerCase();
  if (noWords.includes(word)) return false;
  return yesWords.includes(word) || text;
}

/** Converts a row to the API's format. Invalid flags are sent unchanged, so that the API reports them by field. */
export function toRequestBody({ cells }: Row): NewExtension {
  const { gravar_audio, auto_answer, ...texts } = cells;
  return {
    ...texts,
    bina: texts.bina.replaceAll(/[\s()+.-]/g, ''),
    gravar_audio: readFlag(gravar_audio),
    auto_answer: readFlag(auto_answer),
  } as NewExtension;
}

export const sample = (): string =>
  [
    columns.join(','),
    '1001,Ana,Souza,ana@example.com,,1,,0',
    '1002,Bruno,Lima,bruno@example.com,uma-senha-longa,0,,0',
    '',
  ].join('\r\n');
