/** A record of a CSV file. */
export interface CsvRow {
  /** Line number in the file, from 1. */
  line: number;
  cells: string[];
}

export type CsvReading =
  | { head: string[]; body: CsvRow[] }
  | { refused: 'too-large' | 'empty' | 'too-many' }
  | { refused: 'malformed'; line: number };

interface Limits {
  maxBytes: number;
  /** Rows below the header. */
  maxRows: number;
}

/** Reads a CSV file with a header, in the encodings and with the delimiters of spreadsheets. */
export async function readCsv(file: File, { maxBytes, maxRows }: Limits): Promise<CsvReading> {
  if (file.size > maxBytes) return { refused: 'too-large' };
  const text = decode(await file.arrayBuffer());
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
  return { head: head.record, body: body.map(({ record, info }) => ({ line: info.lines, cells: record })) };
}

/** Falls back to Windows-1252, which spreadsheets in Brazil often write and which is not valid UTF-8. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'windows-1252').decode(bytes);
  }
}

/** "Unicode text" of Excel begins with a byte order mark. */
function isUtf16(bytes: ArrayBuffer): boolean {
  const [first, second] = new Uint8Array(bytes);
  return first === 0xff && second === 0xfe;
}

/** Returns the most frequent delimiter in the header line. */
function detectDelimiter(text: string): string {
  const [first = ''] = text.split(/\r?\n/, 1);
  const counted = [',', ';', '\t'].map((sign) => ({ sign, count: first.split(sign).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).sign;
}
