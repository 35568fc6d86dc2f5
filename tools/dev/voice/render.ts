import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../user-error.ts';

export type TemplateValues = Record<string, string | number>;

const placeholder = /@([A-Z][A-Z0-9_]*)@/g;
const templateEnding = '.in';
const listEnding = '.each';

/** Replaces every `@NAME@`. Throws if a name has no value or a value contains a line break. */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(placeholder, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new UserError(`The template uses ${name}, which has no value.`);
    if (/[\r\n\0]/.test(String(value))) throw new UserError(`The value of ${name} has more than one line.`);
    return String(value);
  });
}

/** Lists that may be empty. */
const optionalLists = ['CARRIER_SIP', 'CARRIER_TLS'];

/** Fills `edges.conf.each` with ID, ADDRESS and PORT of each item of EDGES, such as `1=10.0.0.11:5060,2=…`. */
function fillForEach(name: string, text: string, values: TemplateValues): string {
  const list = (name.split('.')[0] ?? '').toUpperCase();
  const items = fillTemplate(`@${list}@`, values);
  if (items === '' && optionalLists.includes(list)) return '';
  return items
    .split(',')
    .map((item) => {
      const [, ID, ADDRESS, PORT] = /^(\w+)=([^\s:]+):(\d+)$/.exec(item.trim()) ?? [];
      if (!ID || !ADDRESS || !PORT)
        throw new UserError(`${list} contains "${item}", which is not id=address:port.`);
      return fillTemplate(text, { ...values, ID, ADDRESS, PORT });
    })
    .join('\n');
}

/** Writes a configuration folder: files ending in `.in` or `.each` are filled, all others copied. */
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
