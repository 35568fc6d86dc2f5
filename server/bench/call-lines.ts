import { randomBytes } from 'node:crypto';
import { adjustCredit } from '../src/contexts/billing/index.ts';
import { inAccount, openDatabase } from '../src/platform/db/database.ts';
import { microsFromReais } from '../src/platform/money.ts';
import type { OwnerQuery } from '../test/harness/fixtures/billing-rows.ts';
import { sendRequest } from '../test/scenarios/faults/send-request.ts';
import { createTenant } from '../test/scenarios/faults/tenants.ts';

/** An extension and the token of its account. */
export interface BenchLine {
  token: string;
  ramal: string;
  domain: string;
  senha: string;
}

const accountCount = 25;
const linesEach = 20;
const creditReais = 1_000_000;

/** Creates 500 extensions in 25 accounts through the API; the accounts have no call limits. */
export async function makeBenchLines(
  apiUrl: string,
  serviceUrl: string,
  query: OwnerQuery,
): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (let account = 0; account < accountCount; account += 1) {
    const { token, domain } = await createTenant(apiUrl, query);
    await allowMuch(serviceUrl, query, domain);
    for (let line = 0; line < linesEach; line += 1) {
      const made = { token, domain, ramal: String(1000 + line), senha: randomBytes(9).toString('hex') };
      await addExtension(apiUrl, made);
      lines.push(made);
    }
  }
  // Interleaved, so that consecutive calls belong to different accounts.
  return lines.map((_, index) =>
    lineAt(lines, (index % accountCount) * linesEach + Math.floor(index / accountCount)),
  );
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

async function allowMuch(serviceUrl: string, query: OwnerQuery, domain: string): Promise<void> {
  const [row] = await query('select id from accounts where domain = $1', [domain]);
  const accountId = Number(row?.id);
  const micros = microsFromReais(creditReais);
  await query(
    `insert into account_caps (account_id, calls_per_second, concurrent_calls, daily_spend_micros)
     values ($1, 10000, 100000, $2)`,
    [accountId, micros],
  );
  const options = { url: serviceUrl, poolSize: 1, applicationName: 'bench', statementTimeoutMs: 5_000 };
  const db = openDatabase(options, (error) => console.error(error));
  const deps = { queueMail: async () => undefined, consoleUrl: '' };
  const credit = { accountId, micros, reason: 'Bench', key: 'bench', at: new Date() };
  await inAccount(db, accountId, (tx) => adjustCredit(tx, deps, credit));
  await db.close();
}
