import { appendFileSync } from 'node:fs';

/** File in which `./dev bench console` collects metrics; without it they are not recorded. */
const file = process.env.DISCA_FIGURES;

export function recordMetric(name: string, value: string): void {
  if (file) appendFileSync(file, `${name}: ${value}\n`);
}
