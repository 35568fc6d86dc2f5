import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevFault } from '../fault.ts';

export type TemplateValues = Record<string, string | number>;

const placeholder = /@([A-Z][A-Z0-9_]*)@/g;
const templateEnding = '.in';

/** Fills every `@NAME@`. A name without a value, or a value that would break out of its line, is a fault. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new DevFault(`The template asks for ${name}, which has no value.`);
    if (/[\r\n\0]/.test(String(value))) throw new DevFault(`The value of ${name} has more than one line.`);
    return String(value);
  });
}

/** Writes a folder of configuration: files that end in `.in` are filled, all others copied. */
export function renderFolder(source: string, target: string, values: TemplateValues): void {
  mkdirSync(target, { recursive: true });
  for (const item of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, item.name);
    if (item.isDirectory()) renderFolder(from, join(target, item.name), values);
    else if (!item.name.endsWith(templateEnding)) cpSync(from, join(target, item.name));
    else {
      const text = fillTemplate(readFileSync(from, 'utf8'), values);
      writeFileSync(join(target, item.name.slice(0, -templateEnding.length)), text, { mode: 0o640 });
    }
  }
}
