import { writeFileSync } from 'node:fs';
import { isAllowed } from './licences/allowed.ts';
import { bundledPackages, productionPackages, type ShippedPackage } from './licences/shipped.ts';
import { textsOf } from './licences/texts.ts';

// The licences of every npm package that is shipped: those the server runs, and those bundled in the pages of the console
// and the manual. --check fails on an unreviewed licence; --texts FILE writes the texts that the pages must include.
const [option, file] = process.argv.slice(2);
const bundled = bundledPackages();

if (option === '--texts' && file) {
  writeFileSync(file, textsOf(bundled));
} else {
  const shipped = [...productionPackages(), ...bundled];
  const unknown = shipped.filter(({ licence }) => !isAllowed(licence));
  for (const [licence, count] of countByLicence(shipped))
    console.log(`${String(count).padStart(4)}  ${licence}`);
  for (const { name, version, licence } of unknown)
    console.error(
      `${name} ${version} has the licence "${licence}", which is not in tools/licences/allowed.ts.`,
    );
  process.exitCode = unknown.length > 0 ? 1 : 0;
}

function countByLicence(packages: ShippedPackage[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
