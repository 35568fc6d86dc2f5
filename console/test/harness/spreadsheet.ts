import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export interface Cell {
  /** How the spreadsheet understood the cell; `empty` for none. */
  type: 'date' | 'float' | 'string' | 'empty';
  /** Number, ISO date without zone, or text. */
  value: string;
}

const run = promisify(execFile);
const timeoutMs = 60_000;
/** Semicolons, quotes, UTF-8, from the first line, Brazilian Portuguese, and dates recognised, as in Excel. */
const brazilianCsv = 'CSV:59,34,76,1,,1046,false,true';

/** Opens CSV files in LibreOffice with Brazilian settings. Returns the rows of each. */
export async function openInSpreadsheet(paths: string[]): Promise<Cell[][][]> {
  const directory = await mkdtemp(join(tmpdir(), 'disca-sheet-'));
  try {
    const names = paths.map((_, index) => `file-${index}`);
    for (const [index, path] of paths.entries()) await cp(path, join(directory, `${names[index]}.csv`));
    const files = names.map((name) => join(directory, `${name}.csv`));
    const options = [`-env:UserInstallation=${pathToFileURL(join(directory, 'profile')).href}`, '--headless'];
    const conversion = ['--convert-to', 'fods', `--infilter=${brazilianCsv}`, '--outdir', directory];
    await run('soffice', [...options, ...conversion, ...files], { timeout: timeoutMs });
    return await Promise.all(
      files.map(async (file) =>
        rowsOf(await readFile(join(directory, basename(file).replace('.csv', '.fods')), 'utf8')),
      ),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const rowsOf = (document: string): Cell[][] =>
  [...document.matchAll(/<table:table-row\b[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<table:table-cell\b([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(cellsOf),
  );

/** One element stands for several equal cells. */
function cellsOf([, attributes = '', content = '']: RegExpExecArray): Cell[] {
  const attribute = (name: string): string | undefined =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1];
  const type = (attribute('office:value-type') ?? 'empty') as Cell['type'];
  const text = [...content.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, part = '']) => part).join('\n');
  const value = attribute('office:date-value') ?? attribute('office:value') ?? plain(text);
  return Array.from({ length: Number(attribute('table:number-columns-repeated') ?? 1) }, () => ({
    type,
    value,
  }));
}

const plain = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
