import { readInventory } from './inventory.ts';
import { renderInventory } from './render.ts';
import { openSecrets } from './secrets.ts';

const usage = 'Usage: node deploy/inventory/main.ts INVENTORY SECRETS TARGET\n';

/** Writes the files of every machine of an inventory; README.md explains the arguments. */
function main(args: string[]): number {
  const [file, secretsFolder, target, ...others] = args;
  if (!file || !secretsFolder || !target || others.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  const inventory = readInventory(file);
  renderInventory({ inventory, secrets: openSecrets(secretsFolder, inventory), target });
  process.stdout.write(`Wrote the files of ${inventory.hosts.length} hosts to ${target}.\n`);
  return 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
