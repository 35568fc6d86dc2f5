import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShippedPackage } from './shipped.ts';

/** Returns one file with name, version, licence and licence text of each package. */
export function textsOf(packages: ShippedPackage[]): string {
  const head = 'These pages contain the following packages, each under its own licence.\n';
  return [head, ...packages.map(textOf)].join('\n');
}

function textOf({ name, version, licence, folder }: ShippedPackage): string {
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Under ${licence}.`;
  return `${'-'.repeat(80)}\n${name} ${version} (${licence})\n\n${text}\n`;
}
