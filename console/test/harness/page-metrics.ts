import { appendFileSync } from 'node:fs';

/** Where `./dev bench console` collects what was measured; without it figures are for the test's own eyes. */
const file = process.env.DISCA_FIGURES;

export function tellFigure(name: string, figure: string): void {
  if (file) appendFileSync(file, `${name}: ${figure}\n`);
}
