import { Resolver } from 'node:dns/promises';
import type { FindTxtRecords } from '../../contexts/sso/index.ts';

const timeoutMs = 2_000;
const mostRecords = 50;

/** Reads TXT records from name servers given as `address:port`, by default those of the system. */
export function createFindTxtRecords(nameServers: string[] | undefined): FindTxtRecords {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (nameServers) resolver.setServers(nameServers);
  return async (name) => {
    try {
      const records = await resolver.resolveTxt(name);
      return records.slice(0, mostRecords).map((strings) => strings.join(''));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : undefined;
    }
  };
}
