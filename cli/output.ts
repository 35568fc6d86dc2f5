import type { Command } from 'commander';

export interface Output {
  json?: boolean;
}

/** Adds --json for machine-readable output. */
export const withJson = (command: Command): Command => command.option('--json', 'print JSON');

export function answer({ json }: Output, value: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/** Prints one item of a stream; with --json as one line of JSON. */
export function printItem({ json }: Output, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

/** Prints progress; nothing with --json. */
export function progress({ json }: Output, text: string): void {
  if (!json) process.stderr.write(`… ${text}\n`);
}

type Row = Record<string, string | number | null | undefined>;

/** Formats rows as aligned columns. */
export function table(rows: Row[], ifEmpty: string): string {
  const [first] = rows;
  if (!first) return ifEmpty;
  const names = Object.keys(first);
  const texts = rows.map((row) => names.map((name) => String(row[name] ?? '–')));
  const widths = names.map((name, index) =>
    Math.max(name.length, ...texts.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(names), ...texts.map(line)].join('\n');
}

export const sheet = (value: Row): string => {
  const width = Math.max(...Object.keys(value).map((name) => name.length));
  return Object.entries(value)
    .map(([name, each]) => `${name.padEnd(width)}  ${String(each ?? '–')}`)
    .join('\n');
};

/** Formats a time of the API, which is in UTC. */
export const utcTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

export const reais = (amount: number | null | undefined): string =>
  amount === null || amount === undefined ? '–' : `R$ ${amount.toFixed(2)}`;
