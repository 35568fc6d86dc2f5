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
  | { refused: 'too-large' | 'empty' | 'too-many' }
  | { refused: 'columns'; missing: string[] }
  | { refused: 'malformed'; line: number };

export async function readFile(file: File): Promise<Reading> {
  if (file.size > maxBytes) return { refused: 'too-large' };
  return await readText(decode(await file.arrayBuffer()));
}

/** Falls back to Windows-1252, which spreadsheets in Brazil often write and which is not valid UTF-8. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export async function readText(text: string): Promise<Reading> {
  const { parse, CsvError } = await import('csv-parse/browser/esm/sync');
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      delimiter: detectDelimiter(text),
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      relax_column_count: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { refused: 'malformed', line: Number(error.lines ?? 1) };
  }
  const [head, ...body] = records;
  if (!head || body.length === 0) return { refused: 'empty' };
  if (body.length > maxRows) return { refused: 'too-many' };
  const columnNames = head.record.map(findColumn);
  const missing = required.filter((name) => !columnNames.includes(name));
  if (missing.length > 0) return { refused: 'columns', missing };
  return { rows: body.map(({ record, info }) => toRow(info.lines, record, columnNames)) };
}

/** Returns the most frequent delimiter in the header line. */
function detectDelimiter(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const counted = [',', ';', '\t'].map((sign) => ({ sign, count: first.split(sign).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).sign;
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
