import { findAdvisories, notChecked } from './advisories/find-advisories.ts';

// Known vulnerabilities of the npm packages that are shipped: those the server runs, and those bundled in the pages of
// the console and the manual. Exits 1 on a high or critical one that tools/advisories/exceptions.json does not accept,
// and 3 if the registry returns no advisories, for example because there is no network.
const result = await findAdvisories(new Date());
if ('reason' in result) {
  console.log(`npm packages were NOT checked for known vulnerabilities: ${result.reason}`);
  process.exitCode = notChecked;
} else {
  for (const { id, name, severity, title } of result.open)
    console.error(
      `${name}: ${severity} ${id}, ${title}. Update it, or accept it in tools/advisories/exceptions.json.`,
    );
  console.log(`${result.open.length} high or critical, ${result.accepted.length} accepted`);
  process.exitCode = result.open.length > 0 ? 1 : 0;
}
