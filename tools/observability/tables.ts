import type { Figure } from '../../server/src/main/observe/figures.ts';
import type { Alert } from './alert.ts';

export function figureTable(figures: Record<string, Figure>): string {
  const rows = Object.entries(figures).map(([name, { kind, help, of, labels = {} }]) => {
    const named = Object.keys(labels).map((label) => `\`${label}\``);
    return `| \`${name}\` | ${kind} | ${named.join(', ') || '–'} | ${of.join(', ')} | ${help} |`;
  });
  return ['| Metric | Kind | Labels | Of | Meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

export function alertTable(alerts: Alert[]): string {
  const rows = alerts.map(
    ({ name, severity, summary, action }) => `| \`${name}\` | ${severity} | ${summary} | ${action} |`,
  );
  return ['| Alert | Severity | What is wrong | What to look at |', '|---|---|---|---|', ...rows].join('\n');
}

/** Puts each table between its marks. */
export function withTables(text: string, tables: Record<string, string>): string {
  let result = text;
  for (const [name, table] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name}: made by tools/observability.ts -->`, `<!-- end of ${name} -->`];
    const from = result.indexOf(begin);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`The marks of the table of ${name} are missing.`);
    result = `${result.slice(0, from + begin.length)}\n\n${table}\n\n${result.slice(to)}`;
  }
  return result;
}
