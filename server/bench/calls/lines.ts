import { randomBytes } from 'node:crypto';
import { microsFromReais } from '../../src/platform/money.ts';
import { sendRequest } from '../../test/scenarios/faults/send-request.ts';
import { createTenant } from '../../test/scenarios/faults/tenants.ts';
import type { CallPlatform } from './platform.ts';

/** An extension and the token of its account. */
export interface BenchLine {
  token: string;
  ramal: string;
  domain: string;
  senha: string;
}

/** How many accounts, and extensions in each. */
export interface LineCounts {
  accounts: number;
  each: number;
}

export const usualLines: LineCounts = { accounts: 25, each: 20 };

const creditReais = 1_000_000;
const concurrency = 4;

/** Creates extensions through the API; the accounts have no call limits. */
export async function makeBenchLines(platform: CallPlatform, counts: LineCounts): Promise<BenchLine[]> {
  const apiUrl = `${platform.apiOrigin}/api/v1`;
  const perAccount: BenchLine[][] = [];
  const waiting = Array.from({ length: counts.accounts }, (_, index) => index).values();
  const makeAccounts = async (): Promise<void> => {
    for (const account of waiting) {
      const { token, domain } = await createTenant(apiUrl, platform.query);
      perAccount[account] = Array.from({ length: counts.each }, (_, line) => ({
        ...{ token, domain, ramal: String(1000 + line) },
        senha: randomBytes(9).toString('hex'),
      }));
      for (const line of perAccount[account]) await addExtension(apiUrl, line);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, makeAccounts));
  await allowMuch(
    platform,
    perAccount.flatMap(([first]) => (first ? [first.domain] : [])),
  );
  // Interleaved, so that consecutive calls belong to different accounts.
  return Array.from({ length: counts.each }, (_, line) =>
    perAccount.flatMap((lines) => (lines[line] ? [lines[line]] : [])),
  ).flat();
}

export function lineAt(lines: BenchLine[], index: number): BenchLine {
  const line = lines[index % lines.length];
  if (!line) throw new Error('There are no lines.');
  return line;
}

async function addExtension(apiUrl: string, { token, domain, ramal, senha }: BenchLine): Promise<void> {
  const body = {
    ramal,
    senha,
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: `${ramal}@${domain}`,
    gravar_audio: 0,
  };
  const { status, text } = await sendRequest(apiUrl, { method: 'POST', path: '/extensions', token, body });
  if (status !== 200) throw new Error(`Creating the extension returned ${status}: ${text}`);
}

async function allowMuch({ checkout, serviceUrl, query }: CallPlatform, domains: string[]): Promise<void> {
  const micros = microsFromReais(creditReais);
  const rows = await query(
    `insert into account_caps (account_id, calls_per_second, concurrent_calls, daily_spend_micros)
     select id, 10000, 100000, $2 from accounts where domain = any ($1) returning account_id`,
    [domains, micros],
  );
  const { openDatabase, inAccount } = checkout.database;
  const options = { url: serviceUrl, poolSize: 1, applicationName: 'bench', statementTimeoutMs: 5_000 };
  const db = openDatabase(options, (error) => console.error(error));
  const deps = { queueMail: async () => undefined, consoleUrl: '' };
  for (const { account_id: id } of rows) {
    const accountId = Number(id);
    const credit = { accountId, micros, reason: 'Bench', key: 'bench', at: new Date() };
    await inAccount(db, accountId, (tx) => checkout.billing.adjustCredit(tx, deps, credit));
  }
  await db.close();
}
