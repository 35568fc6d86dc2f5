import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevFault } from '../fault.ts';

type Line = Record<string, string | number>;

/** A list fills the file of its name that ends in `.each`, once for each of its items. */
export type TemplateValues = Record<string, string | number | Line[]>;

const placeholder = /@([A-Z][A-Z0-9_]*)@/g;
const templateEnding = '.in';
const listEnding = '.each';

/** Fills every `@NAME@`. A name without a value, or a value that would break out of its line, is a fault. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = values[name];
    if (value === undefined || Array.isArray(value))
      throw new DevFault(`The template asks for ${name}, which has no value.`);
    if (/[\r\n\0]/.test(String(value))) throw new DevFault(`The value of ${name} has more than one line.`);
    return String(value);
  });
}

/** `edges.conf.each` is filled for each of EDGES. What all items share is filled too. */
function fillForEach(name: string, text: string, values: TemplateValues): string {
  const list = values[(name.split('.')[0] ?? '').toUpperCase()];
  if (!Array.isArray(list)) throw new DevFault(`${name} asks for a list that is not there.`);
  return list.map((item) => fillTemplate(text, { ...values, ...item })).join('\n');
}

/** Writes a folder of configuration: files that end in `.in` or `.each` are filled, all others copied. */
export function renderFolder(source: string, target: string, values: TemplateValues): void {
  mkdirSync(target, { recursive: true });
  for (const item of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, item.name);
    const write = (ending: string, text: string): void =>
      writeFileSync(join(target, item.name.slice(0, -ending.length)), text, { mode: 0o640 });
    if (item.isDirectory()) renderFolder(from, join(target, item.name), values);
    else if (item.name.endsWith(templateEnding))
      write(templateEnding, fillTemplate(readFileSync(from, 'utf8'), values));
    else if (item.name.endsWith(listEnding))
      write(listEnding, fillForEach(item.name, readFileSync(from, 'utf8'), values));
    else cpSync(from, join(target, item.name));
  }
}
